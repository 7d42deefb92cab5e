/** Vite takes a style out of the program that imports it. */
declare module '*.css' {}

/** What an operator starts: the service and its packages in a few files (bundle-service.mjs makes them of `dist/src`). */
export const BUILT_SERVICE = new URL('../../../service/main.js', import.meta.url);

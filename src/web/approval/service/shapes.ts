import { isRecord } from '../../wallets/json.js';

/** Tells whether a value that came from outside has the expected form. */
export type Shape<T> = (value: unknown) => value is T;

export const isText: Shape<string> = (value) => typeof value === 'string';
export const isNumber: Shape<number> = (value) => typeof value === 'number';
export const isFlag: Shape<boolean> = (value) => typeof value === 'boolean';
export const isAnything: Shape<unknown> = (_value): _value is unknown => true;

/** Text of a pattern. */
export function isLike<T extends string>(pattern: RegExp): Shape<T> {
  return (value): value is T => isText(value) && pattern.test(value);
}

export function isOneOf<T extends string>(...names: readonly T[]): Shape<T> {
  return (value): value is T => names.some((name) => name === value);
}

/** May be absent. */
export function isMaybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value);
}

/** May be null. */
export function isNullOr<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value);
}

export function isListOf<T>(shape: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(shape);
}

/** An object with these members, and with whatever others it has. */
export function isObjectOf<T extends object>(members: { readonly [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const shapes = Object.entries<(value: unknown) => boolean>(members);
  return (value): value is T => isRecord(value) && shapes.every(([name, shape]) => shape(value[name]));
}

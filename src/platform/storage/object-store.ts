import type { Readable } from 'node:stream';

/** SHA-256 of an object's bytes, 64 lower-case hexadecimal digits: its name, whoever brought it. */
export type ObjectKey = string;

/**
 * Bytes that have arrived and that nobody can read yet. Its holder must call exactly one of `publish` and `discard`.
 */
export interface StagedObject {
  /**
   * Makes the bytes readable under their key, whole or not at all. The same bytes under the same key again are fine.
   * @throws StorageUnavailableError; also after `discard`.
   */
  publish(): Promise<void>;
  /** Forgets the bytes; nothing after `publish`. Does not throw: what cannot be removed now, `sweep` removes later. */
  discard(): Promise<void>;
}

/** An object that is open for reading. */
export interface OpenObject {
  /** Bytes of the whole object. */
  readonly bytes: number;
  readonly stream: Readable;
}

/** An object as it is listed. */
export interface ListedObject {
  readonly key: ObjectKey;
  /** When its bytes were written, by the store's clock. */
  readonly since: Date;
}

/**
 * Objects named by the digest of their bytes, and therefore never changed. Who stages them has checked the digest before
 * publishing: a store does not. Every method may throw StorageUnavailableError, a 503 on the request path.
 */
export abstract class ObjectStore {
  /**
   * Takes the bytes in as they come, without keeping them in memory. If `source` throws, its error is thrown on, and
   * nothing is left.
   * @param key under which they are to be published.
   */
  abstract stage(key: ObjectKey, source: AsyncIterable<Uint8Array>): Promise<StagedObject>;

  /**
   * The object, or null when there is none. The reader must end or destroy the stream.
   * @param first only this many bytes from its beginning; at least 1.
   */
  abstract open(key: ObjectKey, first?: number): Promise<OpenObject | null>;

  /** Bytes of the object; null when there is none. */
  abstract sizeOf(key: ObjectKey): Promise<number | null>;

  /** Removes the object; nothing when there is none. A reader that has opened it can read to its end. */
  abstract remove(key: ObjectKey): Promise<void>;

  /**
   * Objects in the order of their keys.
   * @param behind only those behind this key; empty: from the first on.
   * @param most how many at most; fewer come only at the end.
   */
  abstract list(behind: ObjectKey, most: number): Promise<ListedObject[]>;

  /**
   * Removes what was staged before that time and never ended; returns how many there were. Something that cannot be removed
   * holds up nothing else: its error is thrown once all were tried.
   */
  abstract sweep(before: Date): Promise<number>;
}

/** Does the work of `sweep` on each staged object. @param remove resolves to false for one that is to stay. */
export async function sweepEach<T>(staged: readonly T[], remove: (one: T) => Promise<boolean>): Promise<number> {
  const errors: unknown[] = [];
  let removed = 0;
  for (const one of staged) {
    try {
      if (await remove(one)) removed += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return removed;
}

const KEY = /^[0-9a-f]{64}$/;

/** True for the name of an object: a store may hold what others have put there. */
export function isKey(name: string): boolean {
  return KEY.test(name);
}

/** The key itself. @throws RangeError for anything that is no key: no path of a store is ever made of other text. */
export function checkedKey(key: ObjectKey): ObjectKey {
  if (!isKey(key)) throw new RangeError('An object key is 64 lower-case hexadecimal digits');
  return key;
}

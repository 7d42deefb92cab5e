import { createHash } from 'node:crypto';

/** The state of a window after points were added. */
export interface WindowCount {
  /** Points of the current window, those just added included. */
  consumed: number;
  /** Milliseconds until the window ends. */
  msLeft: number;
}

/** Counts points in fixed windows; a window begins with its key's first point. Shared by all processes. */
export interface WindowCounter {
  /** @throws when the store cannot answer. */
  add(key: string, points: number, windowMs: number): Promise<WindowCount>;
  close(): Promise<void>;
}

/** The limit that the library's limiters are given: they only count, and leases decide what is too much. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Longest that a request waits for the store before the fallback in memory answers. */
export const STORE_TIMEOUT_MS = 1_000;

/** Longest key that a store is given as it is; the column of the table holds 255 characters. */
const LONGEST_KEY = 200;

/**
 * The key as a store keeps it. Strangers choose parts of keys (hosts, ids of applications), and one that a store cannot
 * hold would be counted nowhere. So a long one is replaced by its digest behind the name of its limit.
 */
export function storedKey(key: string): string {
  if (key.length <= LONGEST_KEY && !key.includes('\0')) return key;
  const name = key.slice(0, key.indexOf(':') + 1).slice(0, LONGEST_KEY / 2);
  return `${name}sha256:${createHash('sha256').update(key).digest('hex')}`;
}

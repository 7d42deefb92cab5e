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

/** What a counter says after points were added. */
export interface WindowCount {
  /** Points of the current window, those just added included. */
  consumed: number;
  /** Until the window ends. */
  msLeft: number;
}

/** Counts points in fixed windows; a window begins with its key's first point. Shared by all processes. */
export interface WindowCounter {
  /** @throws when the store cannot answer. */
  add(key: string, points: number, windowMs: number): Promise<WindowCount>;
  close(): Promise<void>;
}

/** The limiter's own limit: leases decide what is too much, it only counts. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Longest a request waits for the store before the insurance answers. */
export const STORE_TIMEOUT_MS = 1_000;

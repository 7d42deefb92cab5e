interface FetchFailure {
  /** True: the same fetch may succeed later, so that nothing is known of the application; false: there is no document. */
  readonly isPassing: boolean;
  /** When a limit of this service ends that has refused the fetch (ms since the epoch). */
  readonly retryAtMs?: number;
  readonly cause?: unknown;
}

/** How deep the library wraps what `fetch` has thrown. */
const MOST_CAUSES = 5;

/** A document of another party was not fetched; the message is for the log, never for a caller. */
export class MetadataFetchError extends Error {
  override readonly name = 'MetadataFetchError';
  readonly isPassing: boolean;
  readonly retryAtMs: number | null;

  constructor(message: string, { isPassing, retryAtMs, cause }: FetchFailure) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.retryAtMs = retryAtMs ?? null;
  }

  /** The failed fetch behind an error of the library; null: there is none. */
  static behind(error: unknown): MetadataFetchError | null {
    let found = error;
    for (let depth = 0; depth < MOST_CAUSES && found instanceof Error; depth += 1) {
      if (found instanceof MetadataFetchError) return found;
      found = found.cause;
    }
    return null;
  }
}

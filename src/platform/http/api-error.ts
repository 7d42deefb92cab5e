import { ERROR_CODES, type ErrorCode } from './error-codes.js';

/** The one error body of the interface (spec: Error). */
export interface ErrorBody {
  error: { code: string; reason: string; suggestion?: string };
}

/**
 * An expected refusal. `reason` is shown to the caller: it never holds a secret, upstream text or another caller's data.
 */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly reason: string,
    readonly suggestion?: string,
    /** Further response headers, such as `Allow` or `WWW-Authenticate`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reason);
    this.name = 'ApiError';
    this.status = ERROR_CODES[code].status;
  }

  body(): ErrorBody {
    const { code, reason, suggestion } = this;
    return { error: suggestion === undefined ? { code, reason } : { code, reason, suggestion } };
  }
}

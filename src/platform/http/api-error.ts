import { ERROR_CODES, type ErrorCode } from './error-codes.js';

/** One of the faults of a request. */
export interface ErrorDetail {
  /** Where it is, with a dot before each inner name: `budget.amount`; empty: the whole body. */
  path: string;
  /** What is wrong there, in a sentence. */
  reason: string;
  /** Of a limit of the credential: its name, what is left of it, and when that grows again; null: never. */
  limit?: string;
  left?: { readonly amount: string; readonly currency: string };
  refills_at?: string | null;
}

/** The one error body of the interface (docs/decisions/interface.md#errors). */
export interface ErrorBody {
  error: { code: string; reason: string; suggestion?: string; details?: readonly ErrorDetail[] };
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
    /** Every fault of the request, where several can be told at once. */
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(reason);
    this.name = 'ApiError';
    this.status = ERROR_CODES[code].status;
  }

  body(): ErrorBody {
    const { code, reason, suggestion, details } = this;
    return {
      error: {
        code,
        reason,
        ...(suggestion === undefined ? {} : { suggestion }),
        ...(details.length === 0 ? {} : { details }),
      },
    };
  }
}

import { ApiError, type ErrorBody } from '../http/api-error.js';
import { ERROR_CODES, type ErrorCode } from '../http/error-codes.js';

/**
 * A stored refusal, as it is sent the first time and each time again: its body is the stored one, whatever `ApiError`
 * would make of code and reason by then. It is thrown, so that it is logged and counted as a refusal.
 */
export class StoredRefusal extends ApiError {
  constructor(
    private readonly stored: ErrorBody,
    headers: Readonly<Record<string, string>>,
  ) {
    super(errorCode(stored.error.code), stored.error.reason, stored.error.suggestion, headers);
  }

  override body(): ErrorBody {
    return this.stored;
  }

  /** Reads stored text. @throws Error when it is not an error body. */
  static parse(text: string, headers: Readonly<Record<string, string>>): StoredRefusal {
    const body: unknown = JSON.parse(text);
    if (!isErrorBody(body)) throw new Error('A stored refusal is not an error body');
    return new StoredRefusal(body, headers);
  }
}

/** A code that this version no longer knows counts as the general conflict; the body still names it. */
function errorCode(code: string): ErrorCode {
  return isConflictCode(code) ? code : 'state_conflict';
}

function isConflictCode(code: string): code is ErrorCode {
  return Object.entries(ERROR_CODES).some(([known, { status }]) => known === code && status === 409);
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('reason' in error)) return false;
  return typeof error.code === 'string' && typeof error.reason === 'string';
}

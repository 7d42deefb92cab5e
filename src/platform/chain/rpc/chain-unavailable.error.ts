import { ApiError } from '../../http/api-error.js';

/**
 * The chain could not be asked. On the request path it is a 503 `service_unavailable`, which says nothing of the RPC
 * endpoint; `cause` is for the log.
 */
export class ChainUnavailableError extends ApiError {
  constructor(override readonly cause: unknown) {
    super('service_unavailable', 'The chain cannot be reached at the moment.', 'Try again in a moment.');
    this.name = 'ChainUnavailableError';
  }

  /** What went wrong, in one line without the endpoint's URL, which may hold a secret. */
  get detail(): string {
    return failureOf(this.cause);
  }
}

/** A `message` may hold the request, URL included (ethers does so); `shortMessage` is the part without it. */
function failureOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return 'unknown failure';
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : '';
  const answer = 'error' in cause ? messageOf(cause.error) : null;
  if (answer !== null) return `${code}${answer}`;
  if ('shortMessage' in cause && typeof cause.shortMessage === 'string') return `${code}${cause.shortMessage}`;
  return `${code}${cause instanceof Error && code === '' ? cause.message : 'no answer'}`;
}

function messageOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  return typeof error.message === 'string' ? error.message : null;
}

import { ApiError } from '../http/api-error.js';

/**
 * A statement took longer than reads may take, and Postgres has cancelled it. To the caller it is a 503
 * `service_unavailable`; which statement it was, and the driver's error as `cause`, are for the log.
 */
export class ReadBudgetError extends ApiError {
  constructor(
    readonly statement: string,
    override readonly cause: unknown,
  ) {
    super('service_unavailable', 'Reading this takes longer than the service allows.', 'Try again in a moment.');
  }
}

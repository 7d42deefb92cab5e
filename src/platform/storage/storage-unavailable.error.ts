import { ApiError } from '../http/api-error.js';

/**
 * The store of the artifacts could not do its part: not reachable, full, or refusing. On the request path it is a 503
 * `service_unavailable`, which says nothing of the store; `cause` is for the log.
 */
export class StorageUnavailableError extends ApiError {
  constructor(override readonly cause: unknown) {
    super('service_unavailable', 'The storage of artifacts cannot be used at the moment.', 'Try again in a moment.');
    this.name = 'StorageUnavailableError';
  }
}

/** Waits for an operation of the store; every error of it becomes a StorageUnavailableError. */
export async function ofStorage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageUnavailableError ? error : new StorageUnavailableError(error);
  }
}

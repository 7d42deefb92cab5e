import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';

/** Concurrent uploads of one account in one process; each holds a connection and unfinished bytes. */
const MAX_PER_ACCOUNT = 4;

/** Limits the concurrent uploads of each account in this process. */
@Injectable()
export class UploadSlots {
  private readonly taken = new Map<string, number>();

  /**
   * Runs `receive` in one of the account's slots.
   * @throws ApiError `rate_limited` when no slot is free, and the errors of `receive`.
   */
  async run<T>(accountId: string, receive: () => Promise<T>): Promise<T> {
    const running = this.taken.get(accountId) ?? 0;
    if (running >= MAX_PER_ACCOUNT) throw tooManyAtOnce();
    this.taken.set(accountId, running + 1);
    try {
      return await receive();
    } finally {
      const left = (this.taken.get(accountId) ?? 1) - 1;
      if (left === 0) this.taken.delete(accountId);
      else this.taken.set(accountId, left);
    }
  }
}

function tooManyAtOnce(): ApiError {
  return new ApiError(
    'rate_limited',
    `More than ${MAX_PER_ACCOUNT} uploads of this account are running at once.`,
    'Wait for the running ones, then repeat the request with the same key.',
    { 'Retry-After': '5', 'X-Limit-Remaining': '0' },
  );
}

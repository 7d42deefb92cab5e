import type { ErrorCode } from '../../http/market-error.js';
import type { Fault } from './request-faults.js';

/** What the market answers instead of doing something. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly reason?: string,
    readonly details: readonly Fault[] = [],
    /** Absent: that of the code. */
    readonly status?: number,
  ) {
    super(`${code}: ${reason ?? ''}`);
  }
}

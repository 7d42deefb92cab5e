import type { Response } from 'express';
import { ApiError } from '../http/api-error.js';
import type { Grant, LeasedWindows } from './counters/leased-windows.js';

/** One bucket that a request was counted in, and the answer. */
export interface Decision {
  bucket: Pick<LeasedWindows, 'name'>;
  grant: Grant;
}

/** Whole seconds until a window ends, at least 1 (docs/decisions/http.md#rate-limits). */
export function secondsUntil(endsAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000));
}

/** The members of a bucket that the headers state. */
type Policy = Pick<LeasedWindows, 'name' | 'quota' | 'windowMs'>;

/** The member of `RateLimit-Policy` for a bucket: quota and window. */
export function policyOf({ name, quota, windowMs }: Policy): string {
  return `"${name}";q=${quota};w=${windowMs / 1000}`;
}

/**
 * `X-Limit-Remaining` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), for the request's one or two buckets.
 * rule: docs/decisions/http.md#rate-limits
 * @param policy `RateLimit-Policy` of these buckets.
 */
export function writeLimitHeaders(
  response: Response,
  policy: string,
  first: Decision,
  second: Decision | null,
  nowMs: number,
): void {
  const remaining = second ? Math.min(first.grant.remaining, second.grant.remaining) : first.grant.remaining;
  response.setHeader('X-Limit-Remaining', remaining);
  response.setHeader('RateLimit-Policy', policy);
  response.setHeader('RateLimit', second ? `${left(first, nowMs)}, ${left(second, nowMs)}` : left(first, nowMs));
}

function left({ bucket, grant }: Decision, nowMs: number): string {
  return `"${bucket.name}";r=${grant.remaining};t=${secondsUntil(grant.endsAtMs, nowMs)}`;
}

/** The refusal of a request beyond a limit; the headers of its buckets have been written where there are any. */
export function rateLimited(what: string, endsAtMs: number, nowMs: number): ApiError {
  const seconds = secondsUntil(endsAtMs, nowMs);
  return new ApiError('rate_limited', what, `Retry in ${seconds} s.`, {
    'Retry-After': String(seconds),
    'X-Limit-Remaining': '0',
  });
}

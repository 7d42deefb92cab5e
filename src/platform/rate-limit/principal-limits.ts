import type { Environment } from '../config/environment.js';

/** Names of the limits that a request with a credential counts for, as `RateLimit-Policy` tells them. */
export const READS_BUCKET = 'reads';
export const WRITES_BUCKET = 'writes';
export const ACCOUNT_READS_BUCKET = 'account-reads';
export const ACCOUNT_WRITES_BUCKET = 'account-writes';

const WINDOW_MS = 60_000;

/** A limit of requests with a credential. */
export interface PrincipalLimit {
  readonly name: string;
  /** Requests in a window. */
  readonly quota: number;
  readonly windowMs: number;
  /** Whose requests are counted together. */
  readonly countedFor: 'credential' | 'account';
}

/** The limits of requests with a credential, as they are configured. */
export function principalLimits(environment: Environment): readonly PrincipalLimit[] {
  const limit = (name: string, quota: number, countedFor: PrincipalLimit['countedFor']): PrincipalLimit => {
    return { name, quota, windowMs: WINDOW_MS, countedFor };
  };
  return [
    limit(READS_BUCKET, environment.rateLimitPrincipal, 'credential'),
    limit(WRITES_BUCKET, environment.rateLimitPrepare, 'credential'),
    limit(ACCOUNT_READS_BUCKET, environment.rateLimitAccount, 'account'),
    limit(ACCOUNT_WRITES_BUCKET, environment.rateLimitAccountPrepare, 'account'),
  ];
}

import type { EntityManager } from 'typeorm';
import { ApiError } from '../http/api-error.js';
import { LOCK_QUOTA } from './quota-lock.sql.js';

/** Something that an account may make for free, and how much of it one account may have. */
export interface AccountQuota {
  readonly accountId: string;
  /** Names the lock; quotas that count the same things have the same name. */
  readonly name: string;
  /** Most that one account may have, in `unit`; 0: as much as it likes. */
  readonly limit: number;
  /** How much the running write adds. */
  readonly adding: number;
  /** What is counted, in the plural, as the refusal says it: `bytes in custody`. */
  readonly unit: string;
  /** What gives room again, in one sentence. */
  readonly frees: string;
  /**
   * While the account is further from its limit than this, a write takes no lock. It is at least what writes of one
   * account that run at the same time can add together; 0: the lock is always taken.
   */
  readonly slack?: number;
  /** Counts how much the account has, by a separate statement in the running transaction. */
  used(): Promise<number>;
  /**
   * As `used`, by a separate statement that is sent together with the statement of the lock, and behind it; absent: the
   * lock is taken first, and waited for by itself.
   */
  lockedUse?(lock: QuotaLock): Promise<number>;
}

/** The statement that takes a quota's lock. */
export interface QuotaLock {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

/**
 * Lets a write add to what an account has for free. Near the limit the account's writes of this kind wait for each
 * other until the transaction ends, so that two at once cannot both be the last one.
 * @param manager of the transaction that adds.
 * @throws ApiError `quota_exceeded`, which no idempotency record keeps: the same request succeeds once there is room.
 */
export async function holdQuota(manager: EntityManager, quota: AccountQuota): Promise<void> {
  const { name, accountId, limit, adding, slack = 0 } = quota;
  if (limit === 0) return;
  if (slack > 0 && (await quota.used()) + adding + slack <= limit) return;
  // Counted by a separate statement after the lock: a statement that waited for the lock itself would not see what was
  // committed meanwhile.
  const used = await countLocked(manager, quota, { ...LOCK_QUOTA, values: [name, accountId] });
  if (used + adding > limit) throw quotaExceeded(quota, used);
}

async function countLocked(manager: EntityManager, quota: AccountQuota, lock: QuotaLock): Promise<number> {
  if (quota.lockedUse !== undefined) return quota.lockedUse(lock);
  await manager.query(lock.text, lock.values);
  return quota.used();
}

/** The refusal of what goes beyond a quota. It says how much is used and allowed, and what gives room. */
export function quotaExceeded(
  { unit, limit, frees }: Pick<AccountQuota, 'unit' | 'limit' | 'frees'>,
  used: number,
): ApiError {
  return new ApiError('quota_exceeded', `The account has ${used} of at most ${limit} ${unit}.`, frees);
}

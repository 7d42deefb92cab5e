import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Hex } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { holdQuota, quotaExceeded } from '../../../platform/quotas/account-quota.js';
import { FIND, USED } from './custody.sql.js';

const FREES =
  'A delivery of what is in custody gives room again, and so does time: what no delivery needs is deleted by its kept_until.';
const BYTES = 'bytes in custody without a delivery';
const ITEMS = 'artifacts in custody without a delivery';

interface Used {
  readonly items: number;
  readonly bytes: number;
}

/** Limits the bytes and the number of artifacts that an account may have in custody without a delivery. */
@Injectable()
export class CustodyQuota {
  constructor(
    private readonly transactions: Transactions,
    private readonly environment: Environment,
  ) {}

  /**
   * Returns the most bytes that an upload may have, before its body is read; null: no limit by the quota, also when the
   * account has this artifact already. Two concurrent uploads may both pass here; `hold` decides.
   * @param declared Content-Length of the request; null when absent.
   * @throws ApiError `quota_exceeded`.
   */
  async roomFor(accountId: string, artifactHash: Hex, declared: number | null): Promise<number | null> {
    const { manager } = this.transactions;
    const known = await runPrepared(manager, FIND, [accountId, artifactHash]);
    if (known.length > 0) return null;
    const { quotaCustodyBytes: limit, quotaCustodyItems: most } = this.environment;
    if (limit === 0 && most === 0) return null;
    const used = await this.usedBy(manager, accountId);
    if (most > 0 && used.items >= most) throw this.refusal('items', used.items);
    if (limit === 0) return null;
    const room = Math.max(0, limit - used.bytes);
    if ((declared ?? 1) > room) throw this.refusal('bytes', used.bytes);
    return room;
  }

  /** The error for a body that turned out larger than the remaining quota. */
  async outgrown(accountId: string): Promise<Error> {
    const { bytes } = await this.usedBy(this.transactions.manager, accountId);
    return this.refusal('bytes', bytes);
  }

  /**
   * Checks the quota again under a lock, in the transaction that takes the artifact. @throws ApiError `quota_exceeded`.
   */
  async hold(manager: EntityManager, accountId: string, artifactHash: Hex, bytes: number): Promise<void> {
    const { quotaCustodyBytes, quotaCustodyItems } = this.environment;
    const known = await runPrepared(manager, FIND, [accountId, artifactHash]);
    if (known.length > 0) return;
    const quota = { accountId, name: 'custody', frees: FREES };
    await holdQuota(manager, {
      ...quota,
      limit: quotaCustodyBytes,
      adding: bytes,
      unit: BYTES,
      used: async () => (await this.usedBy(manager, accountId)).bytes,
    });
    await holdQuota(manager, {
      ...quota,
      limit: quotaCustodyItems,
      adding: 1,
      unit: ITEMS,
      used: async () => (await this.usedBy(manager, accountId)).items,
    });
  }

  private refusal(what: 'bytes' | 'items', used: number) {
    const { quotaCustodyBytes, quotaCustodyItems } = this.environment;
    const limit = what === 'bytes' ? quotaCustodyBytes : quotaCustodyItems;
    const unit = what === 'bytes' ? BYTES : ITEMS;
    return quotaExceeded({ frees: FREES, limit, unit }, used);
  }

  private async usedBy(manager: EntityManager, accountId: string): Promise<Used> {
    const [row] = await manager.query<{ items: string; bytes: string }[]>(USED, [accountId]);
    return { items: Number(row?.items ?? 0), bytes: Number(row?.bytes ?? 0) };
  }
}

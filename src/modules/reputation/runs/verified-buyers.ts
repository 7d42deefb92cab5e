import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { VerifiedBuyerEntity } from './verified-buyer.entity.js';
import { VERIFIED_BUYERS, type VerifiedBuyer } from './verified-buyers.sql.js';

const MAX_NOTE_LENGTH = 200;

/** The verified buyers, from which trust starts. Only the operator changes them; the next run uses a change. */
@Injectable()
export class VerifiedBuyers {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies an account. An account that is already verified keeps its time and gets the new note.
   * @throws ApiError `invalid_parameter` for a note that is too long.
   */
  async verify(accountId: string, note: string): Promise<void> {
    if (note.length > MAX_NOTE_LENGTH) {
      throw new ApiError('invalid_parameter', `The note has at most ${MAX_NOTE_LENGTH} characters.`);
    }
    await this.transactions.run(async (manager) => {
      const known = await manager.existsBy(VerifiedBuyerEntity, { accountId });
      const row = known ? { accountId, note } : { accountId, note, verifiedAt: this.clock.wall() };
      await manager.save(VerifiedBuyerEntity, row);
      if (!known) await this.audit.record({ event: 'buyer_verified', requestId: null, accountId, detail: { note } });
    });
  }

  /** Removes an account from the verified buyers. @throws ApiError `not_found` when it is not verified. */
  async unverify(accountId: string): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(VerifiedBuyerEntity, { accountId });
      if (affected !== 1) throw new ApiError('not_found', 'The account is no verified buyer.');
      await this.audit.record({ event: 'buyer_unverified', requestId: null, accountId });
    });
  }

  /** All verified buyers, in the order of their verification. */
  list(): Promise<VerifiedBuyer[]> {
    return this.transactions.manager.query<VerifiedBuyer[]>(VERIFIED_BUYERS);
  }
}

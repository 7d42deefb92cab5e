import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AuditLog } from '../auth/audit/audit-log.js';
import { PreparedActionEntity } from './prepared-action.entity.js';

/** Takes a person's no. */
@Injectable()
export class ActionDeclines {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * No signature of the action is taken any more; again is no error.
   * @param auditId `X-Request-Id`.
   * @throws ApiError `state_conflict` once a signature or a transaction of it was handed in: neither can be taken back.
   */
  decline({ id, accountId }: PreparedActionEntity, auditId: string): Promise<PreparedActionEntity> {
    return this.transactions.run(async (manager) => {
      const action = await manager.findOneOrFail(PreparedActionEntity, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (action.declinedAt !== null) return action;
      if (action.signature !== null || action.transactionHash !== null) {
        throw new ApiError('state_conflict', 'The action has been signed; a signature cannot be taken back here.');
      }
      action.declinedAt = this.clock.now();
      await manager.update(PreparedActionEntity, { id }, { declinedAt: action.declinedAt });
      const detail = { kind: action.kind };
      await this.audit.record({ event: 'action_declined', requestId: auditId, accountId, credentialId: id, detail });
      return action;
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { ActionStatus } from '#libs/prepared-action';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ActionHistory } from './action-history.js';
import { type DeclinedBy, PreparedActionEntity } from '../action/prepared-action.entity.js';

/** The chain has a transaction of the action, or has had one: there is nothing left to say no to. */
const SENT: readonly ActionStatus[] = ['submitted', 'confirmed', 'final'];

/** Takes a person's no. */
@Injectable()
export class ActionDeclines {
  constructor(
    private readonly transactions: Transactions,
    private readonly history: ActionHistory,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * No signature of the action is taken any more; again is no error. A transaction that was handed in and that the chain
   * does not know keeps nobody from it.
   * @param by who says no; the first one is kept.
   * @param auditId `X-Request-Id`.
   * @throws ApiError `state_conflict` once it is signed or its transaction is on the chain: neither can be taken back.
   */
  async decline(action: PreparedActionEntity, by: DeclinedBy, auditId: string): Promise<PreparedActionEntity> {
    const { id, accountId, kind } = action;
    if (action.transactionHash !== null) await this.refuseSent(action);
    return this.transactions.run(async (manager) => {
      const current = await manager.findOneOrFail(PreparedActionEntity, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (current.declinedAt !== null) return current;
      if (current.signature !== null) throw tooLate();
      Object.assign(current, { declinedAt: this.clock.now(), declinedBy: by });
      const { declinedAt, declinedBy } = current;
      await manager.update(PreparedActionEntity, { id }, { declinedAt, declinedBy });
      const detail = { kind, by };
      await this.audit.record({ event: 'action_declined', requestId: auditId, accountId, credentialId: id, detail });
      return current;
    });
  }

  private async refuseSent(action: PreparedActionEntity): Promise<void> {
    const { status } = await this.history.statusOf(action);
    if (SENT.includes(status)) throw tooLate();
  }
}

function tooLate(): ApiError {
  return new ApiError('state_conflict', 'The action has been signed; a signature cannot be taken back here.');
}

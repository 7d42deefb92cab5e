import { Injectable } from '@nestjs/common';
import type { ActionStatus } from '#libs/prepared-action';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { tellAction } from '../action/action-event.js';
import { ActionHistory } from './action-history.js';
import { type DeclinedBy, PreparedActionEntity } from '../action/prepared-action.entity.js';

/** In these statuses the action's transaction is on its way to the chain or on it: it is too late to decline. */
const SENT: readonly ActionStatus[] = ['submitted', 'confirmed', 'final'];

/** Declines actions for a person. */
@Injectable()
export class ActionDeclines {
  constructor(
    private readonly transactions: Transactions,
    private readonly history: ActionHistory,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Declines the action: from then on no signature of it is accepted. Declining again is no error. A handed-in transaction
   * that the chain does not know does not prevent it.
   * @param by who declines; the first one stays on record.
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
      await tellAction(manager, current, 'declined', current.declinedAt ?? this.clock.now());
      const { toldStatus } = current;
      await manager.update(PreparedActionEntity, { id }, { declinedAt, declinedBy, toldStatus });
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

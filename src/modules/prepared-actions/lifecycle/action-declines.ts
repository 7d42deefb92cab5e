import { Injectable } from '@nestjs/common';
import type { ActionStatus } from '#libs/prepared-action';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { tellAction } from '../action/action-event.js';
import type { Standing } from '../action/action-status.js';
import { ScopeCheck } from '../../credentials/guards/scope-check.js';
import type { ActionDto } from '../dto/action.dto.js';
import { ActionHistory } from './action-history.js';
import { ActionsService } from './actions.service.js';
import { type DeclinedBy, PreparedActionEntity } from '../action/prepared-action.entity.js';

const EXECUTED: readonly [reason: string, suggestion: string] = [
  'The action has been executed.',
  'There is nothing left to decline; read the resource.',
];

/** Statuses in which it is too late to decline, and the words of the refusal. */
const REFUSALS: Partial<Record<ActionStatus, readonly [reason: string, suggestion: string]>> = {
  submitted: ['The transaction of the action is on its way to the chain.', 'Wait for what becomes of it.'],
  confirmed: EXECUTED,
  final: EXECUTED,
  expired: ['The action has expired.', 'There is nothing left to decline: nobody can sign it any more.'],
  superseded: ['The chain no longer allows this action.', 'There is nothing left to decline.'],
};

/** Declines actions, for a person or a program. */
@Injectable()
export class ActionDeclines {
  constructor(
    private readonly transactions: Transactions,
    private readonly history: ActionHistory,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly actions: ActionsService,
    private readonly scopes: ScopeCheck,
  ) {}

  /**
   * As `decline`, for a credential of the action's account.
   * @throws ApiError `not_found`, `insufficient_scope` for a credential without the scope that prepared the action.
   */
  async declineBy(principal: Principal, actionId: string, auditId: string): Promise<ActionDto> {
    const action = await this.actions.find(principal.accountId, actionId);
    this.scopes.require(principal, action.scope);
    if (action.declinedAt !== null) return this.actions.present(action);
    const { transactionHash } = await this.refuseEnded(action);
    const declined = await this.write(action, 'credential', auditId);
    return this.actions.presentEnded(declined, { status: 'declined', transactionHash });
  }

  /**
   * Declines the action: from then on no signature of it is accepted. Declining again is no error. A handed-in transaction
   * that the chain does not know does not prevent it.
   * @param by who declines; the first one stays on record.
   * @param auditId `X-Request-Id`.
   * @throws ApiError `state_conflict` once it is signed or its transaction is on the chain, which neither can be taken back,
   * and once its time is over.
   */
  async decline(action: PreparedActionEntity, by: DeclinedBy, auditId: string): Promise<PreparedActionEntity> {
    if (action.declinedAt !== null) return action;
    await this.refuseEnded(action);
    return this.write(action, by, auditId);
  }

  private write(action: PreparedActionEntity, by: DeclinedBy, auditId: string): Promise<PreparedActionEntity> {
    const { id, accountId, kind } = action;
    return this.transactions.run(async (manager) => {
      const current = await manager.findOneOrFail(PreparedActionEntity, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (current.declinedAt !== null) return current;
      if (current.signature !== null) throw signed();
      // Nobody has asked the chain about it, and nobody asks it under a lock.
      const isSame = current.transactionHash === action.transactionHash && current.secondHash === action.secondHash;
      if (!isSame) throw sentMeanwhile();
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

  /** The standing before. @throws ApiError `state_conflict`. */
  private async refuseEnded(action: PreparedActionEntity): Promise<Standing> {
    const standing = await this.history.statusOf(action);
    const refusal = REFUSALS[standing.status];
    if (refusal) throw new ApiError('state_conflict', ...refusal);
    return standing;
  }
}

function signed(): ApiError {
  return new ApiError(
    'state_conflict',
    'The action has been signed; a signature cannot be taken back here.',
    'To end what was signed, have the wallet that signed it call `invalidateNonces` of the escrow with the nonce of the ' +
      'action. Without that it can be used until its `validUntil`.',
  );
}

function sentMeanwhile(): ApiError {
  return new ApiError(
    'state_conflict',
    'A transaction of the action was handed in at this moment.',
    'Read the action; while it is not sent, decline it again with a new Idempotency-Key.',
  );
}

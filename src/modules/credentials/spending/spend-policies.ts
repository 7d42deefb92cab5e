import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { formatUsdc, newId } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';
import { isNoWider, isUnlimited, limitsOfCap, type SpendLimits } from './spend-limits.js';
import type { SpendPolicy } from './spend-policy-reader.js';
import { SpendPolicyEntity } from './spend-policy.entity.js';

/** An application whose limits are lowered. */
export interface LimitedApp {
  readonly accountId: string;
  readonly clientId: string;
  /** The cap of its consents, which limits it while it has no policy; null: no cap. */
  readonly fundingCap: bigint | null;
}

/** Whose key it is whose limits are lowered. */
interface LimitedKey {
  readonly accountId: string;
  readonly clientId: null;
  readonly fundingCap: null;
}

/**
 * The spend policies of keys and applications (docs/spend-limits.md). A person sets them when a key is made or an
 * application is connected, and lowers them later. No credential can change one.
 */
@Injectable()
export class SpendPolicies {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** The policies that have one of these ids. */
  async findAll(ids: readonly string[]): Promise<SpendPolicy[]> {
    return ids.length === 0 ? [] : this.transactions.manager.findBy(SpendPolicyEntity, { id: In([...ids]) });
  }

  /** The policies of the applications of an account, by the id of the application. */
  async ofApps(accountId: string): Promise<Map<string, SpendPolicy>> {
    const policies = await this.transactions.manager.findBy(SpendPolicyEntity, { accountId });
    return new Map(policies.flatMap((policy) => (policy.clientId === null ? [] : [[policy.clientId, policy]])));
  }

  /** The policy of an application; null: it has none. */
  ofApp(accountId: string, clientId: string): Promise<SpendPolicy | null> {
    return this.transactions.manager.findOneBy(SpendPolicyEntity, { accountId, clientId });
  }

  /** Makes the policy of keys that are about to be made. Resolves to its id; null when nothing is limited. */
  async forKeys(accountId: string, limits: SpendLimits): Promise<string | null> {
    return isUnlimited(limits) ? null : this.insert(accountId, null, limits);
  }

  /**
   * Sets the policy of an application to what the person has just allowed, wider or narrower. What was spent under it
   * stays, unless nothing is limited any more.
   */
  async consent(accountId: string, clientId: string, limits: SpendLimits): Promise<void> {
    await this.transactions.run(async (manager) => {
      const found = await this.lockApp(manager, accountId, clientId);
      if (found === null && isUnlimited(limits)) return;
      if (found === null) await this.insert(accountId, clientId, limits);
      else if (isUnlimited(limits)) await manager.delete(SpendPolicyEntity, { id: found.id });
      else
        await manager.update(
          SpendPolicyEntity,
          { id: found.id },
          { ...columnsOf(limits), createdAt: this.clock.wall() },
        );
      await announceCredentialChange(this.transactions, accountId);
    });
  }

  /**
   * Lowers the limits of an application.
   * @throws ApiError `state_conflict` when they would be wider: that takes a new consent.
   */
  async narrowApp(
    { accountId, clientId, fundingCap }: LimitedApp,
    limits: SpendLimits,
    auditId: string,
  ): Promise<void> {
    await this.transactions.run(async (manager) => {
      const found = await this.lockApp(manager, accountId, clientId);
      const id = await this.narrow(manager, found, limits, { accountId, clientId, fundingCap });
      if (id !== null) await this.recordLowered({ accountId, clientId, credentialId: id }, limits, auditId);
    });
  }

  /**
   * Lowers limits in the running transaction. Resolves to the id of the policy, made where there was none; null when there
   * was none and nothing is limited.
   * @param before locked.
   * @throws ApiError `state_conflict` when they would be wider.
   */
  async narrow(
    manager: EntityManager,
    before: SpendPolicy | null,
    limits: SpendLimits,
    { accountId, clientId, fundingCap }: LimitedApp | LimitedKey,
  ): Promise<string | null> {
    if (!isNoWider(before ?? limitsOfCap(fundingCap), limits)) {
      throw new ApiError(
        'state_conflict',
        'Here limits are only lowered.',
        clientId === null ? 'For more, create a new key.' : 'For more, connect the application again.',
      );
    }
    if (before === null && isUnlimited(limits)) return null;
    // What the processes remember of a credential is whether there is a policy, not what it says.
    if (before === null) await announceCredentialChange(this.transactions, accountId);
    if (before === null) return this.insert(accountId, clientId, limits);
    await manager.update(SpendPolicyEntity, { id: before.id }, columnsOf(limits));
    return before.id;
  }

  /** Locks the account before, so that of two requests at once the second finds the policy of the first. */
  private async lockApp(manager: EntityManager, accountId: string, clientId: string): Promise<SpendPolicy | null> {
    await manager.findOneOrFail(AccountEntity, { where: { id: accountId }, lock: { mode: 'for_no_key_update' } });
    return manager.findOne(SpendPolicyEntity, { where: { accountId, clientId }, lock: { mode: 'pessimistic_write' } });
  }

  private async insert(accountId: string, clientId: string | null, limits: SpendLimits): Promise<string> {
    const createdAt = this.clock.wall();
    const id = newId('spend', createdAt.getTime());
    const { manager } = this.transactions;
    await manager.insert(SpendPolicyEntity, { id, accountId, clientId, createdAt, ...columnsOf(limits) });
    return id;
  }

  /** Writes into the record of the account that limits were lowered. */
  recordLowered(
    about: { accountId: string; clientId: string | null; credentialId: string },
    limits: SpendLimits,
    auditId: string,
  ): Promise<void> {
    const detail = spendDetail(limits);
    return this.audit.record({ event: 'spend_limits_lowered', requestId: auditId, ...about, detail });
  }
}

/** Limits as the record of an account says them; of wallets their number, because they are other people's. */
export function spendDetail({ perPayment, perDay, inTotal, counterparties }: SpendLimits): Record<string, unknown> {
  const amount = (units: bigint | null) => (units === null ? null : formatUsdc(units));
  return {
    per_payment: amount(perPayment),
    per_day: amount(perDay),
    total: amount(inTotal),
    counterparties: counterparties?.length ?? null,
  };
}

function columnsOf({ perPayment, perDay, inTotal, counterparties }: SpendLimits) {
  return { perPayment, perDay, inTotal, counterparties: counterparties === null ? null : [...counterparties] };
}

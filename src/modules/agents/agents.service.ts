import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '#libs/kernel';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import type { AgentChanged } from '../events/agent.events.js';
import { DomainEvents } from '../events/domain-events.js';
import { ApiError } from '../../platform/http/api-error.js';
import { holdQuota } from '../../platform/quotas/account-quota.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { agentEvent, agentUpdates } from './agent/agent-event.js';
import { AgentEntity } from './agent/agent.entity.js';
import { type AgentChange, type AgentProfile, checkProfile, checkProfileChange } from './agent/agent-profile.js';
import { AgentReader } from './agent-reader.js';
import { CAPABILITY_WORDS_SQL, SEARCH_SQL, searchParameters } from './agent-search.sql.js';
import { claimWallet } from './agent-wallets.js';
import { checkChangeable, lockOwned } from './locked-agent.js';
import { mayBecome, maySetAvailability, type OwnerStatus } from './agent/agent.lifecycle.js';

type Owner = Pick<AccountEntity, 'id' | 'walletAddress'>;

/** Columns computed from the agent's texts at every write; `searchParameters` gives their parameters. */
const WORDS = { search: () => SEARCH_SQL, capabilityWords: () => CAPABILITY_WORDS_SQL };

const DAY_MS = 86_400_000;
/** Longest time ahead that `until` may name. */
const MAX_UNTIL_MS = 365 * DAY_MS;

/** Publishes, changes and finds agents. */
@Injectable()
export class AgentsService extends AgentReader {
  constructor(
    transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: DomainEvents,
    private readonly environment: Environment,
  ) {
    super(transactions);
  }

  /**
   * Publishes an agent of the account: active and available at once. The wallet that it names is a claim; the signature
   * of its first quote proves it.
   * @throws ApiError `invalid_body` for a member out of range, `wallet_mismatch` when neither profile nor account names
   *   a wallet and when the wallet is another account's, `quota_exceeded`.
   */
  async publish(owner: Owner, profile: AgentProfile): Promise<AgentEntity> {
    const checked = checkProfile(profile, owner.walletAddress);
    const createdAt = this.clock.now();
    const row = {
      ...checked,
      id: newId('agent', createdAt.getTime()),
      accountId: owner.id,
      status: 'active' as const,
      available: true,
      availableUntil: null,
      suspendedFrom: null,
      suspensionReason: null,
      createdAt,
      updatedAt: createdAt,
    };
    await this.transactions.run(async (manager) => {
      await this.holdQuota(manager, owner.id);
      await claimWallet(manager, owner, row.walletAddress);
      await manager
        .createQueryBuilder()
        .insert()
        .into(AgentEntity)
        .values({ ...row, ...WORDS })
        .setParameters(searchParameters(row))
        .updateEntity(false)
        .execute();
      await this.tell(manager, { agentId: row.id, isFoundAnew: true, hasNewWallet: false });
      await recordEvents(manager, [
        agentEvent('agent.published', row, { status: { to: row.status }, available: true }),
      ]);
    });
    return Object.assign(new AgentEntity(), row);
  }

  /**
   * Changes the profile of the owner's agent, or its status by the table of agent.lifecycle.ts. Signed offers and nodes
   * keep their wallet.
   * @throws ApiError `invalid_body`, `not_found` both for an agent that does not exist and for an agent of another
   *   account, `state_conflict` for a retired agent and for a change that the table does not allow, `wallet_mismatch`
   *   as in `publish`.
   */
  async update(owner: Owner, agentId: string, { status, ...profile }: AgentChange): Promise<AgentEntity> {
    const change = checkProfileChange(profile);
    return this.transactions.run(async (manager) => {
      const agent = await lockOwned(manager, owner, agentId);
      checkMove(agent, status);
      const before = Object.assign(new AgentEntity(), agent);
      const { walletAddress = agent.walletAddress } = change;
      const hasNewWallet = walletAddress !== agent.walletAddress;
      if (hasNewWallet) await claimWallet(manager, owner, walletAddress);
      const row = { ...change, status: status ?? agent.status, updatedAt: this.clock.now() };
      const changed = Object.assign(agent, row);
      await manager
        .createQueryBuilder()
        .update(AgentEntity)
        .set({ ...row, ...WORDS })
        .where('id = :agentId', { agentId, ...searchParameters(changed) })
        .execute();
      await this.tell(manager, { agentId, isFoundAnew: true, hasNewWallet });
      await recordEvents(manager, agentUpdates(before, changed));
      return changed;
    });
  }

  /**
   * Sets whether the owner's agent takes new work, for good or until a time, from which the opposite holds.
   * @param until in the future, at most 365 days ahead; null: for good.
   * @throws ApiError `invalid_body` for a time out of range, `not_found` alike for an agent that does not exist and one
   * of another account, `state_conflict` for a retired and a suspended agent.
   */
  async setAvailability(
    owner: Pick<Owner, 'id'>,
    agentId: string,
    available: boolean,
    until: Date | null = null,
  ): Promise<AgentEntity> {
    const updatedAt = this.clock.now();
    checkUntil(until, updatedAt);
    return this.transactions.run(async (manager) => {
      const agent = await lockOwned(manager, owner, agentId);
      if (!maySetAvailability(agent.status)) {
        throw new ApiError('state_conflict', `The agent is ${agent.status}: it takes no work.`);
      }
      const row = { available, availableUntil: until, updatedAt };
      await manager.update(AgentEntity, { id: agentId }, row);
      await this.tell(manager, { agentId, isFoundAnew: false, hasNewWallet: false });
      const changed = Object.assign(agent, row);
      const told = { available, ...(until === null ? {} : { until: until.toISOString() }) };
      await recordEvents(manager, [agentEvent('agent.availability_changed', changed, told)]);
      return changed;
    });
  }

  private holdQuota(manager: EntityManager, accountId: string): Promise<void> {
    return holdQuota(manager, {
      accountId,
      name: 'agents',
      limit: this.environment.quotaAgents,
      adding: 1,
      unit: 'agents, retired ones included',
      frees: 'Change one of them instead of publishing another; the operator of the service can allow more.',
      used: () => manager.countBy(AgentEntity, { accountId }),
    });
  }

  /** Tells the subscribers of `agent_changed`, among them the search of agents. */
  private tell(manager: EntityManager, change: Omit<AgentChanged, 'type'>): Promise<void> {
    return this.events.publish(manager, { type: 'agent_changed', ...change });
  }
}

function checkMove(agent: AgentEntity, to: OwnerStatus | undefined): void {
  checkChangeable(agent);
  const { status: from } = agent;
  if (to === undefined || to === from || mayBecome(from, to, 'owner')) return;
  throw new ApiError('state_conflict', `Its owner cannot make a ${from} agent ${to}.`);
}

function checkUntil(until: Date | null, now: Date): void {
  if (until === null) return;
  const aheadMs = until.getTime() - now.getTime();
  // Compared this way, an invalid date (NaN) is refused, too.
  if (aheadMs > 0 && aheadMs <= MAX_UNTIL_MS) return;
  throw new ApiError('invalid_body', 'until lies in the future, at most 365 days ahead.');
}

import { Injectable } from '@nestjs/common';
import { newId } from '#libs/kernel';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { AccountEntity } from '../auth/accounts/account.entity.js';
import { AgentEntity } from './agent.entity.js';
import { type AgentProfile, checkProfile } from './agent-profile.js';
import { searchableText } from './agent-text.js';

type Owner = Pick<AccountEntity, 'id' | 'walletAddress'>;

/** Weighted lexemes of the three texts, each as `searchableText` gives it. rule: design/ranking.md §4.1 */
const SEARCH_SQL = `
  setweight(to_tsvector('english', :nameText), 'A') ||
  setweight(to_tsvector('english', :capabilitiesText), 'B') ||
  setweight(to_tsvector('english', :descriptionText), 'C')`;

/** Publishing agents and finding them. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Publishes an agent of the account: active and available at once.
   * @throws ApiError `invalid_body` for a member out of range, `wallet_mismatch` when neither names a wallet.
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
      createdAt,
      updatedAt: createdAt,
    };
    await this.transactions.manager
      .createQueryBuilder()
      .insert()
      .into(AgentEntity)
      .values({ ...row, search: () => SEARCH_SQL })
      .setParameters({
        nameText: searchableText(checked.name),
        capabilitiesText: checked.capabilities.map(searchableText).join(' , '),
        descriptionText: searchableText(checked.description),
      })
      .updateEntity(false)
      .execute();
    return Object.assign(new AgentEntity(), row);
  }

  /**
   * Says whether the owner's agent takes new work.
   * @throws ApiError `not_found` alike for an agent that does not exist and one of another account.
   */
  async setAvailability(owner: Pick<Owner, 'id'>, agentId: string, available: boolean): Promise<AgentEntity> {
    const { manager } = this.transactions;
    const updatedAt = this.clock.now();
    await manager.update(AgentEntity, { id: agentId, accountId: owner.id }, { available, updatedAt });
    return this.findOwned(owner, agentId);
  }

  /** @throws ApiError `not_found` alike for an agent that does not exist and one of another account. */
  async findOwned(owner: Pick<Owner, 'id'>, agentId: string): Promise<AgentEntity> {
    const agent = await this.transactions.manager.findOneBy(AgentEntity, { id: agentId, accountId: owner.id });
    if (!agent) throw new ApiError('not_found', 'There is no such agent.');
    return agent;
  }

  /** The agent, whoever owns it, or null. */
  findById(agentId: string): Promise<AgentEntity | null> {
    return this.transactions.manager.findOneBy(AgentEntity, { id: agentId });
  }
}

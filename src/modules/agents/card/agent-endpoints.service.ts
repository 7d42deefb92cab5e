import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { agentEvent } from '../agent/agent-event.js';
import { AgentEntity } from '../agent/agent.entity.js';
import { mayEdit } from '../agent/agent.lifecycle.js';
import { AgentReader, noSuchAgent } from '../agent-reader.js';
import { AgentEndpointEntity } from './agent-endpoint.entity.js';
import { CardFetch } from './card-fetch.js';

/** The A2A endpoints that owners name for their agents. They are looked at when they are named, and never by a reader. */
@Injectable()
export class AgentEndpointsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly agents: AgentReader,
    private readonly cards: CardFetch,
    private readonly clock: Clock,
  ) {}

  /** The endpoint of an agent that its present card was found to name, or null. */
  async of({ id, agentCardUrl }: Pick<AgentEntity, 'id' | 'agentCardUrl'>): Promise<AgentEndpointEntity | null> {
    const found = await this.transactions.manager.findOneBy(AgentEndpointEntity, { agentId: id });
    return found?.cardUrl === agentCardUrl ? found : null;
  }

  /**
   * Names the endpoint of the owner's agent, once the card at its `agent_card_url` was fetched and names it, too.
   * @param url normalised, as `PROFILE_RULES.agentCardUrl` gives it.
   * @throws ApiError as `CardFetch`; `not_found` alike for an agent that does not exist and one of another account;
   *   `state_conflict` for a retired agent, and when the agent got another card meanwhile.
   */
  async set(accountId: string, agentId: string, url: string): Promise<AgentEndpointEntity> {
    const { agentCardUrl: cardUrl, status } = await this.agents.findOwned({ id: accountId }, agentId);
    checkStatus(status);
    // Before the transaction, because the host that answers may take its time.
    const named = await this.cards.interfaceAt(accountId, cardUrl, url);
    const checkedAt = this.clock.now();
    const row = Object.assign(new AgentEndpointEntity(), { agentId, ...named, cardUrl, checkedAt });
    await this.transactions.run(async (manager) => {
      const agent = await lockOwned(manager, accountId, agentId);
      if (agent.agentCardUrl !== cardUrl) {
        throw new ApiError('state_conflict', 'The agent got another card while this one was fetched.');
      }
      await manager.upsert(AgentEndpointEntity, row, ['agentId']);
      await this.touch(manager, agent);
    });
    return row;
  }

  /** Takes the endpoint away. @returns it as it was. @throws ApiError `not_found`, `state_conflict`. */
  delete(accountId: string, agentId: string): Promise<AgentEndpointEntity> {
    return this.transactions.run(async (manager) => {
      const agent = await lockOwned(manager, accountId, agentId);
      const found = await manager.findOneBy(AgentEndpointEntity, { agentId });
      if (!found) throw new ApiError('not_found', 'The agent has no endpoint.');
      await manager.delete(AgentEndpointEntity, { agentId });
      await this.touch(manager, agent);
      return found;
    });
  }

  /** The card of the agent is another one from now on. */
  private async touch(manager: EntityManager, agent: AgentEntity): Promise<void> {
    const updatedAt = this.clock.now();
    await manager.update(AgentEntity, { id: agent.id }, { updatedAt });
    await recordEvents(manager, [
      agentEvent('agent.updated', Object.assign(agent, { updatedAt }), { changed: ['endpoint'] }),
    ]);
  }
}

async function lockOwned(manager: EntityManager, accountId: string, agentId: string): Promise<AgentEntity> {
  const where = { id: agentId, accountId };
  const agent = await manager.findOne(AgentEntity, { where, lock: { mode: 'pessimistic_write' } });
  if (!agent) throw noSuchAgent();
  checkStatus(agent.status);
  return agent;
}

function checkStatus(status: AgentEntity['status']): void {
  if (!mayEdit(status)) throw new ApiError('state_conflict', 'The agent is retired: it changes no more.');
}

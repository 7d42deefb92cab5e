import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { AgentEntity } from '../agent/agent.entity.js';
import { AgentReader } from '../agent-reader.js';
import { changeCard } from '../changed-card.js';
import { checkChangeable } from '../locked-agent.js';
import { AgentEndpointEntity } from './agent-endpoint.entity.js';
import { AGENT_ENDPOINT } from './agent-endpoint.sql.js';
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
    const [found = null] = await AGENT_ENDPOINT.find(this.transactions, [id, agentCardUrl]);
    return found;
  }

  /**
   * Names the endpoint of the owner's agent, once the card at its `agent_card_url` was fetched and names it, too.
   * @param url normalised, as `PROFILE_RULES.agentCardUrl` gives it.
   * @throws ApiError as `CardFetch` and `changeCard`; `state_conflict` also when the agent got another card meanwhile.
   */
  async set(accountId: string, agentId: string, url: string): Promise<AgentEndpointEntity> {
    const before = await this.agents.findOwned({ id: accountId }, agentId);
    checkChangeable(before);
    const { agentCardUrl: cardUrl } = before;
    // Before the transaction, because the host that answers may take its time.
    const named = await this.cards.interfaceAt(accountId, cardUrl, url);
    const at = this.clock.now();
    const row = Object.assign(new AgentEndpointEntity(), { agentId, ...named, cardUrl, checkedAt: at });
    await this.transactions.run((manager) =>
      changeCard(manager, { accountId, agentId, at, changed: 'endpoint' }, async ({ agentCardUrl }) => {
        if (agentCardUrl !== cardUrl) {
          throw new ApiError('state_conflict', 'The agent got another card while this one was fetched.');
        }
        await manager.upsert(AgentEndpointEntity, row, ['agentId']);
      }),
    );
    return row;
  }

  /** Takes the endpoint away. @returns it as it was. @throws ApiError `not_found`; as `changeCard`. */
  delete(accountId: string, agentId: string): Promise<AgentEndpointEntity> {
    return this.transactions.run((manager) =>
      changeCard(manager, { accountId, agentId, at: this.clock.now(), changed: 'endpoint' }, async () => {
        const found = await manager.findOneBy(AgentEndpointEntity, { agentId });
        if (!found) throw new ApiError('not_found', 'The agent has no endpoint.');
        await manager.delete(AgentEndpointEntity, { agentId });
        return found;
      }),
    );
  }
}

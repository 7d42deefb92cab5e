import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { AgentEntity } from '../agent/agent.entity.js';
import { AgentReader } from '../agent-reader.js';
import type { EndpointState } from '../agent/agent.dto.js';
import { changeCard } from '../changed-card.js';
import { checkChangeable } from '../locked-agent.js';
import { AgentEndpointEntity } from './agent-endpoint.entity.js';
import { AGENT_ENDPOINT, NAMED_ENDPOINT } from './agent-endpoint.sql.js';
import { CardFetch } from './card-fetch.js';

const DAY_MS = 86_400_000;

/**
 * The A2A endpoints that owners name for their agents. They are looked at when they are named and about once a day
 * (endpoint-looks.sweeper.ts), and never by a reader.
 */
@Injectable()
export class AgentEndpointsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly agents: AgentReader,
    private readonly cards: CardFetch,
    private readonly clock: Clock,
  ) {}

  /** The endpoint that the agent's card shows: its own present card was found to name it. Null when there is none. */
  async of({ id, agentCardUrl }: Pick<AgentEntity, 'id' | 'agentCardUrl'>): Promise<AgentEndpointEntity | null> {
    const [found = null] = await AGENT_ENDPOINT.find(this.transactions, [id, agentCardUrl]);
    return found;
  }

  /** How the endpoint of the agent stands, for its owner; null when none was named, and for anybody else. */
  async stateOf(agent: AgentEntity, accountId: string): Promise<EndpointState | null> {
    if (agent.accountId !== accountId) return null;
    const [named] = await NAMED_ENDPOINT.find(this.transactions, [agent.id]);
    if (named === undefined) return null;
    const { url, checkedAt, failedSince, leftOutAt, cardUrl } = named;
    const hasCard = agent.status === 'active' || agent.status === 'inactive';
    return { url, checkedAt, failedSince, isShown: hasCard && leftOutAt === null && cardUrl === agent.agentCardUrl };
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
    const row = Object.assign(new AgentEndpointEntity(), { agentId, ...named, cardUrl, ...newlyChecked(at) });
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

/** An endpoint that has just been found, whatever was before. */
function newlyChecked(at: Date) {
  const nextLookAt = new Date(at.getTime() + DAY_MS);
  return { checkedAt: at, nextLookAt, failures: 0, failedSince: null, leftOutAt: null };
}

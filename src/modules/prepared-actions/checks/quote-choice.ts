import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AgentEntity } from '../../agents/agent/agent.entity.js';
import { AgentsService } from '../../agents/agents.service.js';
import { TaskRanking } from '../../matching/ranking/task-ranking.js';
import { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { QuoteAcceptance } from '../../quotes/acceptance/quote-acceptance.js';
import { isUnsigned } from '../../quotes/quote/quote.lifecycle.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';

/** Most offers that are tried on the chain before the buyer is told to look at the quotes itself. (policy) */
const MAX_TRIED = 5;
const NO_QUOTE = 'Wait for a quote, or look at the quotes of the task.';

/** Which signed offer a buyer's selection takes. */
@Injectable()
export class QuoteChoice {
  constructor(
    private readonly transactions: Transactions,
    private readonly agents: AgentsService,
    private readonly ranking: TaskRanking,
    private readonly standing: QuoteAcceptance,
    private readonly clock: Clock,
  ) {}

  /**
   * The newest standing root offer of one agent.
   * @throws ApiError `not_found` for an agent that does not exist; `state_conflict` when it is not active or has no offer
   * that stands; `quote_expired` when the newest is over.
   */
  async ofAgent({ id: taskId, termsHash }: TaskEntity, agentId: string): Promise<QuoteEntity> {
    const agent = await this.agents.get(agentId);
    if (agent.status !== 'active') throw new ApiError('state_conflict', 'The agent is not active.', NO_QUOTE);
    const quotes = await this.transactions.manager.find(QuoteEntity, {
      where: { taskId, agentId, parentNodeNumber: 0 },
      order: { id: 'DESC' },
    });
    const signed = quotes.filter(({ status }) => !isUnsigned(status));
    const newest = signed.find((quote) => this.stands(quote, termsHash)) ?? signed[0];
    if (newest === undefined) {
      throw new ApiError('state_conflict', 'The agent has no submitted quote for this task.', NO_QUOTE);
    }
    this.standing.checkKept(newest, termsHash);
    return newest;
  }

  /**
   * The standing offer of the agent that comes first in the task's match list; agents outside the list come after, the
   * lowest price first. An offer that the chain would refuse is passed over, so that a worthless offer blocks no task.
   * @throws ApiError `state_conflict` when there is none; `service_unavailable` when the chain is away.
   */
  async best(task: TaskEntity): Promise<QuoteEntity> {
    const offers = await this.newestPerAgent(task);
    const ranked = offers.length === 0 ? [] : await this.ranking.placesFor(task);
    const places = new Map(ranked.map(({ agentId, rank }) => [agentId, rank]));
    for (const quote of offers.toSorted(byPlace(places)).slice(0, MAX_TRIED)) {
      if ((await this.standing.refusal(quote, task, task.buyerWallet)) === null) return quote;
    }
    throw new ApiError('state_conflict', 'No agent has made an offer that stands.', NO_QUOTE);
  }

  private async newestPerAgent({ id: taskId, termsHash }: TaskEntity): Promise<QuoteEntity[]> {
    const { manager } = this.transactions;
    const where = { taskId, parentNodeNumber: 0, status: 'submitted' as const };
    const quotes = (await manager.find(QuoteEntity, { where, order: { id: 'ASC' } })).filter((quote) =>
      this.stands(quote, termsHash),
    );
    const newest = new Map(quotes.map((quote) => [quote.agentId, quote]));
    const active = await manager.find(AgentEntity, {
      where: { id: In([...newest.keys()]), status: 'active' },
      select: { id: true },
    });
    return active.flatMap(({ id }) => newest.get(id) ?? []);
  }

  private stands(quote: QuoteEntity, termsHash: string): boolean {
    const isInTime = quote.validUntil.getTime() >= this.clock.nowMs();
    return quote.status === 'submitted' && isInTime && quote.termsHash.toLowerCase() === termsHash.toLowerCase();
  }
}

/** Orders offers by the agent's place in the match list, then by price, then by age, the older offer first. */
function byPlace(places: ReadonlyMap<string, number>): (one: QuoteEntity, other: QuoteEntity) => number {
  const placeOf = ({ agentId }: QuoteEntity): number => places.get(agentId) ?? Infinity;
  return (one, other) => {
    if (placeOf(one) !== placeOf(other)) return placeOf(one) - placeOf(other);
    if (one.price !== other.price) return one.price < other.price ? -1 : 1;
    return one.id < other.id ? -1 : 1;
  };
}

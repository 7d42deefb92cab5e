import { Injectable } from '@nestjs/common';
import { wantedLater } from '../../../platform/database/reads/wanted-later.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { AgentEntity } from '../../agents/agent/agent.entity.js';
import { AgentReader } from '../../agents/agent-reader.js';
import { TaskRanking } from '../../matching/ranking/task-ranking.js';
import type { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { ROOT_OFFERS, ROOT_OFFERS_OF_AGENT } from '../../quotes/quote/root-offers.sql.js';
import { QuoteAcceptance } from '../../quotes/acceptance/quote-acceptance.js';
import { isUnsigned } from '../../quotes/quote/quote.lifecycle.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { TaskStore } from '../../tasks/task-store.js';

/** Most offers that are tried on the chain before the buyer is told to look at the quotes itself. (policy) */
const MAX_TRIED = 5;
const NO_QUOTE = 'Wait for a quote, or look at the quotes of the task.';

/** Which signed offer a buyer's selection takes. */
@Injectable()
export class QuoteChoice {
  constructor(
    private readonly transactions: Transactions,
    private readonly tasks: TaskStore,
    private readonly agents: AgentReader,
    private readonly ranking: TaskRanking,
    private readonly standing: QuoteAcceptance,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts to read the offers of one agent, or of all (null), for the root of a task; whether they stand is known with the
   * task. What it returns makes the choice: `ofAgent` or `best`.
   */
  ahead(taskId: string, agentId: string | null): (task: TaskEntity) => Promise<QuoteEntity> {
    if (agentId === null) {
      const offers = wantedLater(ROOT_OFFERS.find(this.transactions, [taskId]));
      return async (task) => this.taken(task, await this.best(task, await offers));
    }
    const agent = wantedLater(this.agents.get(agentId));
    const quotes = wantedLater(ROOT_OFFERS_OF_AGENT.find(this.transactions, [taskId, agentId]));
    return async (task) => this.taken(task, this.ofAgent(task, await agent, await quotes));
  }

  /** The offer, unless an earlier payment stands in its way. @throws ApiError as `TaskStore.refuseWhilePaymentUnknown`. */
  private async taken(task: TaskEntity, quote: QuoteEntity): Promise<QuoteEntity> {
    await this.tasks.refuseWhilePaymentUnknown(this.transactions.manager, task, quote.nodePath);
    return quote;
  }

  /**
   * The newest standing root offer of one agent.
   * @param quotes its root offers for the task.
   * @throws ApiError `state_conflict` when it is not active or has no offer that stands; `quote_expired` when the newest is
   * over.
   */
  private ofAgent({ termsHash }: TaskEntity, agent: AgentEntity, quotes: readonly QuoteEntity[]): QuoteEntity {
    if (agent.status !== 'active') throw new ApiError('state_conflict', 'The agent is not active.', NO_QUOTE);
    const signed = quotes
      .filter(({ status }) => !isUnsigned(status))
      .toSorted(byId)
      .toReversed();
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
   * @param submitted the submitted root offers of active agents for the task.
   * @throws ApiError `state_conflict` when there is none; `service_unavailable` when the chain is away.
   */
  private async best(task: TaskEntity, submitted: readonly QuoteEntity[]): Promise<QuoteEntity> {
    const standing = submitted.filter((quote) => this.stands(quote, task.termsHash)).toSorted(byId);
    const offers = [...new Map(standing.map((quote) => [quote.agentId, quote])).values()];
    const ranked = offers.length === 0 ? [] : await this.ranking.placesFor(task);
    const places = new Map(ranked.map(({ agentId, rank }) => [agentId, rank]));
    for (const quote of offers.toSorted(byPlace(places)).slice(0, MAX_TRIED)) {
      if ((await this.standing.refusal(quote, task, task.buyerWallet)) === null) return quote;
    }
    throw new ApiError('state_conflict', 'No agent has made an offer that stands.', NO_QUOTE);
  }

  private stands(quote: QuoteEntity, termsHash: string): boolean {
    const isInTime = quote.validUntil.getTime() >= this.clock.nowMs();
    return quote.status === 'submitted' && isInTime && quote.termsHash.toLowerCase() === termsHash.toLowerCase();
  }
}

/** Orders offers by age, the oldest first. */
function byId({ id: one }: QuoteEntity, { id: other }: QuoteEntity): number {
  return one < other ? -1 : 1;
}

/** Orders offers by the agent's place in the match list, then by price, then by age, the older offer first. */
function byPlace(places: ReadonlyMap<string, number>): (one: QuoteEntity, other: QuoteEntity) => number {
  const placeOf = ({ agentId }: QuoteEntity): number => places.get(agentId) ?? Infinity;
  return (one, other) => {
    if (placeOf(one) !== placeOf(other)) return placeOf(one) - placeOf(other);
    if (one.price !== other.price) return one.price < other.price ? -1 : 1;
    return byId(one, other);
  };
}

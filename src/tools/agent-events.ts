import { AgentPostings } from '../modules/matching/search-tables/agent-postings.js';
import { MarketStatistics } from '../modules/matching/search-tables/market-statistics.js';
import { SettledBriefs } from '../modules/matching/search-tables/settled-briefs/settled-briefs.js';
import { MatchingProjection } from '../modules/matching/matching.projection.js';
import type { Transactions } from '../platform/database/transactions.js';
import { DomainEvents } from '../modules/events/domain-events.js';
import type { Clock } from '../platform/time/clock.js';

/**
 * The events of a tool that changes agents, with the handler of matching, so that the words of an agent come and go in
 * the transaction that changes it. The application itself is not started for it: it would index, sweep and listen
 * beside the service that runs. Triggers of the database notify running searches.
 */
export function agentEvents(transactions: Transactions, clock: Clock): DomainEvents {
  const events = new DomainEvents();
  const statistics = new MarketStatistics(transactions, clock);
  const briefs = new SettledBriefs(transactions, clock, statistics);
  new MatchingProjection(events, new AgentPostings(statistics), briefs, clock).onModuleInit();
  return events;
}

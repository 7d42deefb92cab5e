import { Environment } from '../../src/platform/config/environment.js';
import { AgentsService } from '../../src/modules/agents/agents.service.js';
import { AgentRows } from '../../src/modules/matching/agent-rows/agent-rows.js';
import { AgentRanking } from '../../src/modules/matching/agent-ranking.js';
import { SettledBriefs } from '../../src/modules/matching/briefs/settled-briefs.js';
import type { CandidateSource } from '../../src/modules/matching/candidates/candidate-source.js';
import { CandidateFacts } from '../../src/modules/matching/candidates/candidate-facts.js';
import { PostingLists } from '../../src/modules/matching/candidates/posting-lists.js';
import { SqlCandidateSource } from '../../src/modules/matching/candidates/sql-candidate-source.js';
import { MatchContexts } from '../../src/modules/matching/match-context.js';
import { MatchExplanations } from '../../src/modules/matching/match-explanations.js';
import { MatchSnapshots } from '../../src/modules/matching/match-snapshots.js';
import { MatchingProjection } from '../../src/modules/matching/matching.projection.js';
import { MatchingService } from '../../src/modules/matching/matching.service.js';
import { AgentPostings } from '../../src/modules/matching/postings/agent-postings.js';
import { MarketStatistics } from '../../src/modules/matching/postings/market-statistics.js';
import { StatisticsRunner } from '../../src/modules/matching/postings/statistics.runner.js';
import { ShownMatches } from '../../src/modules/matching/shown-matches.js';
import type { ReadSide } from './read-side.js';

/** The parts of the service that match agents and tasks, wired as its modules wire them. */
export class MatchingSide {
  readonly agents: AgentsService;
  readonly contexts: MatchContexts;
  readonly ranking: AgentRanking;
  readonly matching: MatchingService;
  readonly explanations: MatchExplanations;
  readonly postings: AgentPostings;
  readonly statistics: MarketStatistics;
  readonly briefs: SettledBriefs;
  readonly runner: StatisticsRunner;

  /** @param source of candidates; the database, unless it is given. */
  constructor(
    { transactions, clock, events, reads, tasks, cursors, environment }: ReadSide,
    source: CandidateSource = new SqlCandidateSource(
      new PostingLists(reads),
      new CandidateFacts(reads),
      new AgentRows(reads, transactions),
    ),
  ) {
    this.agents = new AgentsService(transactions, clock, events, Object.assign(new Environment(), { quotaAgents: 0 }));
    this.statistics = new MarketStatistics(transactions, clock);
    this.postings = new AgentPostings(this.statistics);
    this.briefs = new SettledBriefs(transactions, clock, this.statistics);
    this.runner = new StatisticsRunner(environment, transactions, this.statistics, this.briefs, clock);
    new MatchingProjection(events, this.postings, this.briefs, clock).onModuleInit();
    this.contexts = new MatchContexts(tasks, reads, clock);
    this.ranking = new AgentRanking(this.contexts, source);
    const shown = new ShownMatches(reads, clock);
    this.matching = new MatchingService(
      tasks,
      this.ranking,
      this.contexts,
      shown,
      new MatchSnapshots(reads, transactions, clock),
      cursors,
    );
    this.explanations = new MatchExplanations(tasks, this.ranking, reads, shown);
  }
}

import { Environment } from '../../src/platform/config/environment.js';
import { AgentsService } from '../../src/modules/agents/agents.service.js';
import { AgentSearchRows } from '../../src/modules/matching/search-tables/agent-search-rows/agent-search-rows.js';
import { AgentRanking } from '../../src/modules/matching/ranking/agent-ranking.js';
import { SettledBriefs } from '../../src/modules/matching/search-tables/settled-briefs/settled-briefs.js';
import type { CandidateSource } from '../../src/modules/matching/ranking/candidate-source.js';
import { CandidateFacts } from '../../src/modules/matching/sql-search/candidate-facts.js';
import { PostingLists } from '../../src/modules/matching/sql-search/posting-lists.js';
import { SqlCandidateSource } from '../../src/modules/matching/sql-search/sql-candidate-source.js';
import { MatchQueries } from '../../src/modules/matching/ranking/match-query.js';
import { MatchExplanations } from '../../src/modules/matching/pages/match-explanations.js';
import { MatchedTasks } from '../../src/modules/matching/pages/matched-tasks.js';
import { MatchSnapshots } from '../../src/modules/matching/pages/match-snapshots.js';
import { MatchingProjection } from '../../src/modules/matching/matching.projection.js';
import { MatchingService } from '../../src/modules/matching/matching.service.js';
import { AgentPostings } from '../../src/modules/matching/search-tables/agent-postings.js';
import { MarketStatistics } from '../../src/modules/matching/search-tables/market-statistics.js';
import { StatisticsRunner } from '../../src/modules/matching/search-tables/settled-briefs/statistics.runner.js';
import { MatchPresenter } from '../../src/modules/matching/pages/match-presenter.js';
import type { ReadSide } from './read-side.js';

/** The parts of the service that match agents and tasks, wired as its modules wire them. */
export class MatchingSide {
  readonly agents: AgentsService;
  readonly queries: MatchQueries;
  readonly ranking: AgentRanking;
  readonly matching: MatchingService;
  readonly explanations: MatchExplanations;
  readonly postings: AgentPostings;
  readonly statistics: MarketStatistics;
  readonly briefs: SettledBriefs;
  readonly runner: StatisticsRunner;

  /** @param source of candidates; by default the database. */
  constructor(
    { transactions, clock, events, reads, tasks, cursors, environment }: ReadSide,
    source: CandidateSource = new SqlCandidateSource(
      new PostingLists(reads),
      new CandidateFacts(reads),
      new AgentSearchRows(reads, transactions),
    ),
  ) {
    this.agents = new AgentsService(transactions, clock, events, Object.assign(new Environment(), { quotaAgents: 0 }));
    this.statistics = new MarketStatistics(transactions, clock);
    this.postings = new AgentPostings(this.statistics);
    this.briefs = new SettledBriefs(transactions, clock, this.statistics);
    this.runner = new StatisticsRunner(environment, transactions, this.statistics, this.briefs, clock);
    new MatchingProjection(events, this.postings, this.briefs, clock).onModuleInit();
    this.queries = new MatchQueries(reads, clock);
    this.ranking = new AgentRanking(this.queries, source);
    const shown = new MatchPresenter(reads, clock);
    this.matching = new MatchingService(
      tasks,
      this.ranking,
      new MatchedTasks(tasks),
      this.queries,
      shown,
      new MatchSnapshots(reads, transactions, clock),
      cursors,
    );
    this.explanations = new MatchExplanations(
      tasks,
      this.ranking,
      reads,
      new PostingLists(reads),
      new CandidateFacts(reads),
      shown,
    );
  }
}

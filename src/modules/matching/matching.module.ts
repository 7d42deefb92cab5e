import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/tasks.module.js';
import { Environment } from '../../platform/config/environment.js';
import { AgentIndexThread } from './memory-search/agent-index-thread.js';
import { AgentSearchRowsRunner } from './search-tables/agent-search-rows/agent-search-rows.runner.js';
import { AgentSearchRows } from './search-tables/agent-search-rows/agent-search-rows.js';
import { TaskRanking } from './ranking/task-ranking.js';
import { AgentRanking } from './ranking/agent-ranking.js';
import { SettledBriefs } from './search-tables/settled-briefs/settled-briefs.js';
import { CandidateFacts } from './sql-search/candidate-facts.js';
import { CandidateSource } from './ranking/candidate-source.js';
import { MemoryCandidateSource } from './memory-search/memory-candidate-source.js';
import { PostingLists } from './sql-search/posting-lists.js';
import { SqlCandidateSource } from './sql-search/sql-candidate-source.js';
import { MatchChangesSweeper } from './search-tables/match-changes.sweeper.js';
import { MatchQueries } from './ranking/match-query.js';
import { MatchExplanations } from './pages/match-explanations.js';
import { MatchedTasks } from './pages/matched-tasks.js';
import { MatchSnapshots } from './pages/match-snapshots.js';
import { MatchesController } from './matches.controller.js';
import { MatchingProjection } from './matching.projection.js';
import { MatchingService } from './matching.service.js';
import { AgentPostings } from './search-tables/agent-postings.js';
import { MarketStatistics } from './search-tables/market-statistics.js';
import { StatisticsRunner } from './search-tables/settled-briefs/statistics.runner.js';
import { MatchPresenter } from './pages/match-presenter.js';
import { ToldOwners } from './told-owners/told-owners.js';
import { ToldOwnersRunner } from './told-owners/told-owners.runner.js';
import { UnusedTermsSweeper } from './search-tables/unused-terms.sweeper.js';

@Module({
  imports: [TasksModule],
  controllers: [MatchesController],
  providers: [
    MatchingService,
    MatchExplanations,
    AgentRanking,
    { provide: TaskRanking, useExisting: AgentRanking },
    MatchedTasks,
    MatchQueries,
    PostingLists,
    CandidateFacts,
    AgentSearchRows,
    AgentSearchRowsRunner,
    SqlCandidateSource,
    AgentIndexThread,
    MemoryCandidateSource,
    {
      provide: CandidateSource,
      useFactory: ({ matchingIndex }: Environment, sql: SqlCandidateSource, memory: MemoryCandidateSource) =>
        matchingIndex === 'memory' ? memory : sql,
      inject: [Environment, SqlCandidateSource, MemoryCandidateSource],
    },
    MatchPresenter,
    MatchSnapshots,
    MatchingProjection,
    AgentPostings,
    MarketStatistics,
    SettledBriefs,
    StatisticsRunner,
    ToldOwners,
    ToldOwnersRunner,
    MatchChangesSweeper,
    UnusedTermsSweeper,
  ],
  exports: [TaskRanking],
})
export class MatchingModule {}

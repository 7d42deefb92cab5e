import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/tasks.module.js';
import { Environment } from '../../platform/config/environment.js';
import { AgentIndexThread } from './agent-index/agent-index-thread.js';
import { AgentRowsRunner } from './agent-rows/agent-rows.runner.js';
import { AgentRows } from './agent-rows/agent-rows.js';
import { AgentRanking } from './agent-ranking.js';
import { SettledBriefs } from './briefs/settled-briefs.js';
import { CandidateFacts } from './candidates/candidate-facts.js';
import { CandidateSource } from './candidates/candidate-source.js';
import { MemoryCandidateSource } from './candidates/memory-candidate-source.js';
import { PostingLists } from './candidates/posting-lists.js';
import { SqlCandidateSource } from './candidates/sql-candidate-source.js';
import { MatchChangesSweeper } from './match-changes.sweeper.js';
import { MatchContexts } from './match-context.js';
import { MatchExplanations } from './match-explanations.js';
import { MatchSnapshots } from './match-snapshots.js';
import { MatchesController } from './matches.controller.js';
import { MatchingProjection } from './matching.projection.js';
import { MatchingService } from './matching.service.js';
import { AgentPostings } from './postings/agent-postings.js';
import { MarketStatistics } from './postings/market-statistics.js';
import { StatisticsRunner } from './postings/statistics.runner.js';
import { ShownMatches } from './shown-matches.js';
import { UnusedTermsSweeper } from './postings/unused-terms.sweeper.js';

@Module({
  imports: [TasksModule],
  controllers: [MatchesController],
  providers: [
    MatchingService,
    MatchExplanations,
    AgentRanking,
    MatchContexts,
    PostingLists,
    CandidateFacts,
    AgentRows,
    AgentRowsRunner,
    SqlCandidateSource,
    AgentIndexThread,
    MemoryCandidateSource,
    {
      provide: CandidateSource,
      useFactory: ({ matchingIndex }: Environment, sql: SqlCandidateSource, memory: MemoryCandidateSource) =>
        matchingIndex === 'memory' ? memory : sql,
      inject: [Environment, SqlCandidateSource, MemoryCandidateSource],
    },
    ShownMatches,
    MatchSnapshots,
    MatchingProjection,
    AgentPostings,
    MarketStatistics,
    SettledBriefs,
    StatisticsRunner,
    MatchChangesSweeper,
    UnusedTermsSweeper,
  ],
  exports: [AgentRanking],
})
export class MatchingModule {}

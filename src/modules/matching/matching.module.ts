import { Module } from '@nestjs/common';
import { TasksModule } from '../tasks/tasks.module.js';
import { AgentRanking } from './agent-ranking.js';
import { MatchListAccess } from './match-list-access.js';
import { MatchSnapshots } from './match-snapshots.js';
import { MatchesController } from './matches.controller.js';
import { MatchingService } from './matching.service.js';

@Module({
  imports: [TasksModule],
  controllers: [MatchesController],
  providers: [MatchingService, AgentRanking, MatchListAccess, MatchSnapshots],
  exports: [AgentRanking],
})
export class MatchingModule {}

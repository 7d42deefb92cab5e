import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AgentListService } from './search/agent-list.service.js';
import { AgentReader } from './agent-reader.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { AgentSearchReader } from './search/agent-search-reader.js';
import { AgentTextLimit } from './text-limit.js';

@Module({
  imports: [RateLimitModule],
  controllers: [AgentsController],
  providers: [AgentsService, AgentReader, AgentListService, AgentSearchReader, AgentTextLimit],
  exports: [AgentsService, AgentReader, AgentListService],
})
export class AgentsModule {}

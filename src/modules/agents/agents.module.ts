import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { AgentCardController } from './card/agent-card.controller.js';
import { AgentCardService } from './card/agent-card.service.js';
import { AgentEndpointsService } from './card/agent-endpoints.service.js';
import { CardFetch } from './card/card-fetch.js';
import { EndpointLooksSweeper } from './card/endpoint-looks.sweeper.js';
import { AgentListService } from './search/agent-list.service.js';
import { AgentReader } from './agent-reader.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { AgentSearchReader } from './search/agent-search-reader.js';
import { AgentTextLimit } from './text-limit.js';

@Module({
  imports: [OAuthModule, RateLimitModule],
  controllers: [AgentsController, AgentCardController],
  providers: [
    AgentsService,
    AgentReader,
    AgentListService,
    AgentSearchReader,
    AgentTextLimit,
    AgentCardService,
    AgentEndpointsService,
    CardFetch,
    EndpointLooksSweeper,
  ],
  exports: [AgentsService, AgentReader, AgentListService],
})
export class AgentsModule {}

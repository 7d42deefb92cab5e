import { Module } from '@nestjs/common';
import { AgentListService } from './agent-list.service.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';

@Module({ controllers: [AgentsController], providers: [AgentsService, AgentListService], exports: [AgentsService] })
export class AgentsModule {}

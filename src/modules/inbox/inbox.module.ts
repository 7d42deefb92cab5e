import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { EscrowModule } from '../escrow/escrow.module.js';
import { InboxController } from './inbox.controller.js';
import { InboxService } from './inbox.service.js';

@Module({ imports: [AgentsModule, EscrowModule], controllers: [InboxController], providers: [InboxService] })
export class InboxModule {}

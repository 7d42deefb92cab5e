import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { MeController } from './me.controller.js';
import { MeService } from './me.service.js';

/** What the caller is told of itself. */
@Module({ imports: [AccountsModule, AgentsModule], controllers: [MeController], providers: [MeService] })
export class MeModule {}

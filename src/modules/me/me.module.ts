import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { PreparedActionsModule } from '../prepared-actions/prepared-actions.module.js';
import { MeController } from './me.controller.js';
import { MeService } from './me.service.js';

/** What the caller is told of itself. */
@Module({
  imports: [AccountsModule, AgentsModule, PreparedActionsModule],
  controllers: [MeController],
  providers: [MeService],
})
export class MeModule {}

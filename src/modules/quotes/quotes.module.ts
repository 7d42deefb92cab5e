import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { MatchingModule } from '../matching/matching.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { QuoteChecks } from './offer-checks/quote-checks.js';
import { QuoteListService } from './quote-list.service.js';
import { QuoteAcceptance } from './acceptance/quote-acceptance.js';
import { QuoteExpirySweeper } from './quote-expiry.sweeper.js';
import { QuoteProjection } from './quote.projection.js';
import { QuoteSignatures } from './acceptance/quote-signatures.js';
import { QuotesController } from './quotes.controller.js';
import { QuotesService } from './quotes.service.js';
import { QuotingAgent } from './offer-checks/quoting-agent.js';

@Module({
  imports: [AgentsModule, TasksModule, MatchingModule],
  controllers: [QuotesController],
  providers: [
    QuotesService,
    QuoteListService,
    QuoteChecks,
    QuotingAgent,
    QuoteSignatures,
    QuoteAcceptance,
    QuoteProjection,
    QuoteExpirySweeper,
  ],
  exports: [QuotesService, QuoteChecks, QuoteSignatures, QuoteAcceptance],
})
export class QuotesModule {}

import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { EarningsModule } from '../earnings/earnings.module.js';
import { MatchingModule } from '../matching/matching.module.js';
import { EscrowModule } from '../escrow/escrow.module.js';
import { QuotesModule } from '../quotes/quotes.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ActionDeclines } from './action-declines.js';
import { ActionHistory } from './action-history.js';
import { ActionPreflight } from './action-preflight.js';
import { ActionRenewals } from './action-renewals.js';
import { ActionsController } from './actions.controller.js';
import { ActionsService } from './actions.service.js';
import { ActionsSweeper } from './actions.sweeper.js';
import { AppActivity } from './app-activity.js';
import { FundingController } from './funding.controller.js';
import { FundingSources } from './funding-sources.js';
import { DeliverySubmissionController } from './delivery-submission.controller.js';
import { DeliverySubmissions } from './delivery-submissions.service.js';
import { IntentsController } from './intents.controller.js';
import { KindRegistry, KINDS } from './kind-registry.js';
import { NodeIntents } from './node-intents.js';
import { NodeWorkController } from './node-work.controller.js';
import { QuoteChoice } from './quote-choice.js';
import { RefundBalances } from './refund-balances.js';
import { QuoteIntentsController } from './quote-intents.controller.js';
import { PreparedActionsService } from './prepared-actions.service.js';
import { ReviewController } from './review.controller.js';
import { SelectionController } from './selection.controller.js';
import { SigningLinks } from './signing-links.js';
import { SubcontractController } from './subcontract.controller.js';
import { SubmissionsService } from './submissions.service.js';
import { TaskCreationController } from './task-creation.controller.js';
import { TreeBundle } from './tree-bundle.js';
import { UnwrittenEnds } from './unwritten-ends.js';
import { WalletNonces } from './wallet-nonces.js';
import { WithdrawalDestinations } from './withdrawal-destinations.js';
import { WithdrawalsController } from './withdrawals.controller.js';

@Module({
  imports: [
    AuthModule,
    ArtifactsModule,
    DeliveriesModule,
    EarningsModule,
    QuotesModule,
    AgentsModule,
    MatchingModule,
    TasksModule,
    EscrowModule,
  ],
  controllers: [
    TaskCreationController,
    QuoteIntentsController,
    SelectionController,
    IntentsController,
    NodeWorkController,
    ReviewController,
    DeliverySubmissionController,
    FundingController,
    SubcontractController,
    WithdrawalsController,
    ActionsController,
  ],
  providers: [
    PreparedActionsService,
    ActionsService,
    ActionsSweeper,
    AppActivity,
    SubmissionsService,
    DeliverySubmissions,
    NodeIntents,
    ActionDeclines,
    ActionHistory,
    ActionPreflight,
    ActionRenewals,
    SigningLinks,
    WalletNonces,
    FundingSources,
    TreeBundle,
    QuoteChoice,
    RefundBalances,
    UnwrittenEnds,
    WithdrawalDestinations,
    KindRegistry,
    ...Object.values(KINDS),
  ],
  exports: [
    ActionDeclines,
    ActionHistory,
    ActionRenewals,
    ActionsService,
    AppActivity,
    PreparedActionsService,
    SigningLinks,
    SubmissionsService,
    WalletNonces,
  ],
})
export class PreparedActionsModule {}

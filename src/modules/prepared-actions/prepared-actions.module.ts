import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { EarningsModule } from '../earnings/earnings.module.js';
import { MatchingModule } from '../matching/matching.module.js';
import { EscrowModule } from '../escrow/escrow.module.js';
import { QuotesModule } from '../quotes/quotes.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ActionDeclines } from './lifecycle/action-declines.js';
import { ActionFollower } from './following/action-follower.js';
import { ActionFollowerRunner } from './following/action-follower.runner.js';
import { ActionHistory } from './lifecycle/action-history.js';
import { ActionListController } from './list/action-list.controller.js';
import { ActionListService } from './list/action-list.service.js';
import { ListedStatuses } from './list/listed-statuses.js';
import { ActionPreflight } from './preflight/action-preflight.js';
import { ActionRenewals } from './lifecycle/action-renewals.js';
import { ActionsController } from './lifecycle/actions.controller.js';
import { ActionsService } from './lifecycle/actions.service.js';
import { ActionsSweeper } from './lifecycle/actions.sweeper.js';
import { AppActivity } from './lifecycle/app-activity.js';
import { FundingController } from './intents/funding.controller.js';
import { FundingSources } from './money/funding-sources.js';
import { DeliverySubmissionController } from './intents/delivery-submission.controller.js';
import { DeliverySubmissions } from './intents/delivery-submissions.service.js';
import { IntentsController } from './intents/intents.controller.js';
import { KindRegistry, KINDS } from './registry/kind-registry.js';
import { NodeIntents } from './checks/node-intents.js';
import { NodeKindServices } from './checks/node-kind-services.js';
import { NodeWorkController } from './intents/node-work.controller.js';
import { QuoteChoice } from './checks/quote-choice.js';
import { RefundBalances } from './money/refund-balances.js';
import { QuoteIntentsController } from './intents/quote-intents.controller.js';
import { SubcontractQuotes } from './checks/subcontract-quotes.js';
import { SelectedQuotes } from './money/selected-quotes.js';
import { LapsedOffersSweeper } from './retention/lapsed-offers.sweeper.js';
import { PreparedActionsService } from './prepared-actions.service.js';
import { ReviewController } from './intents/review.controller.js';
import { SelectionController } from './intents/selection.controller.js';
import { SigningLinks } from './action/signing-links.js';
import { SubcontractController } from './intents/subcontract.controller.js';
import { SubmissionsService } from './lifecycle/submissions.service.js';
import { TaskCreationController } from './intents/task-creation.controller.js';
import { PendingFinalizations } from './money/pending-finalizations.js';
import { SpendGuard } from './spending/spend-guard.js';
import { SpendLedger } from './spending/spend-ledger.js';
import { SpendReservationsSweeper } from './spending/spend-reservations.sweeper.js';
import { WalletNonces } from './nonces/wallet-nonces.js';
import { WithdrawalDestinations } from './money/withdrawal-destinations.js';
import { WithdrawalsController } from './intents/withdrawals.controller.js';

@Module({
  imports: [
    AccountsModule,
    CredentialsModule,
    OAuthModule,
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
    ActionListController,
  ],
  providers: [
    PreparedActionsService,
    ActionsService,
    ActionsSweeper,
    LapsedOffersSweeper,
    AppActivity,
    SubmissionsService,
    DeliverySubmissions,
    NodeIntents,
    NodeKindServices,
    ActionDeclines,
    ActionFollower,
    ActionFollowerRunner,
    ActionHistory,
    ActionListService,
    ListedStatuses,
    ActionPreflight,
    ActionRenewals,
    SigningLinks,
    WalletNonces,
    SpendLedger,
    { provide: SpendGuard, useExisting: SpendLedger },
    SpendReservationsSweeper,
    FundingSources,
    QuoteChoice,
    SelectedQuotes,
    SubcontractQuotes,
    RefundBalances,
    PendingFinalizations,
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
    SpendLedger,
    SubmissionsService,
    WalletNonces,
  ],
})
export class PreparedActionsModule {}

import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { EventFeedModule } from '../event-feed/event-feed.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { PreparedActionsModule } from '../prepared-actions/prepared-actions.module.js';
import { PreviewsModule } from '../previews/previews.module.js';
import { ApprovalDeployments } from './approval/approval-deployment.js';
import { ApprovalDocuments } from './approval/approval-documents.js';
import { ApprovalFacts } from './approval/approval-facts.js';
import { ApprovalProgress } from './approval/approval-progress.js';
import { ProgressWaits } from './approval/progress-waits.js';
import { ProgressWaitsSettings } from './approval/progress-waits.settings.js';
import { ServiceReadings } from './approval/service-readings.js';
import { ApprovalSimulations } from './approval/approval-simulations.js';
import { ClosedPages } from './closed-pages.service.js';
import { DeliveryLinks } from './approval/delivery-links.js';
import { SigningFixturesController } from './fixtures/signing-fixtures.controller.js';
import { ApprovalRoutes } from './approval/approval-routes.js';
import { OperatorPaymaster } from './paymaster/operator-paymaster.js';
import { PaymasterController } from './paymaster/paymaster.controller.js';
import { PaymasterLimits } from './paymaster/paymaster-limits.js';
import { PaymasterLinks } from './paymaster/paymaster-links.js';
import { SponsoredOperations } from './paymaster/sponsored-operations.js';
import { SigningAnswersController } from './signing-answers.controller.js';
import { SigningClaimsController } from './signing-claims.controller.js';
import { SigningDeclinesController } from './signing-declines.controller.js';
import { SigningLimits } from './visits/signing-limits.js';
import { SigningPageController } from './signing-page.controller.js';
import { SigningPages } from './signing-pages.service.js';
import { SigningRenewalsController } from './signing-renewals.controller.js';
import { SigningSubmissionsController } from './signing-submissions.controller.js';
import { SigningClaims } from './visits/signing-claims.js';
import { SigningEntrance } from './visits/signing-entrance.js';
import { SigningVisits } from './visits/signing-visits.js';
import { WalletTakeover } from './visits/wallet-takeover.js';
import { WellKnownController } from './well-known.controller.js';

/** The approval page behind `signing_url`: a person reads what their wallet is asked to sign, and signs or declines. */
@Module({
  imports: [
    AccountsModule,
    CredentialsModule,
    EventFeedModule,
    OAuthModule,
    SignInModule,
    PreparedActionsModule,
    PreviewsModule,
    RateLimitModule,
  ],
  // The fixtures must come first, or their path would be read as a token.
  controllers: [
    SigningFixturesController,
    SigningPageController,
    SigningClaimsController,
    SigningDeclinesController,
    SigningRenewalsController,
    SigningAnswersController,
    SigningSubmissionsController,
    PaymasterController,
    WellKnownController,
  ],
  providers: [
    ApprovalDeployments,
    ApprovalDocuments,
    ApprovalFacts,
    ApprovalProgress,
    ApprovalRoutes,
    ApprovalSimulations,
    ClosedPages,
    DeliveryLinks,
    OperatorPaymaster,
    PaymasterLimits,
    PaymasterLinks,
    ProgressWaits,
    ProgressWaitsSettings,
    ServiceReadings,
    SigningClaims,
    SigningEntrance,
    SigningLimits,
    SigningPages,
    SigningVisits,
    SponsoredOperations,
    WalletTakeover,
  ],
  exports: [ApprovalDeployments, ProgressWaits, ServiceReadings],
})
export class SigningModule {}

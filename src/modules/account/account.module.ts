import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { PreparedActionsModule } from '../prepared-actions/prepared-actions.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccountActivity } from './activity/account-activity.service.js';
import { AccountForms } from './signed-in/account-forms.js';
import { AccountFrames } from './signed-in/account-frames.js';
import { AccountKeys } from './keys/account-keys.service.js';
import { AccountWebhooks } from './webhooks/account-webhooks.service.js';
import { ActivityController } from './activity/activity.controller.js';
import { AppsController } from './apps/apps.controller.js';
import { ConfirmStep } from './signed-in/confirm-step.js';
import { ConfirmedOnce } from './signed-in/confirmed-once.js';
import { ConnectedApps } from './apps/connected-apps.service.js';
import { KeysController } from './keys/keys.controller.js';
import { OnceOnlyForms } from './signed-in/once-only-forms.js';
import { OverviewController } from './overview.controller.js';
import { ReceiptPagesController } from './receipts/receipt-pages.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignOutController } from './sign-in/sign-out.controller.js';
import { WalletStep } from './signed-in/wallet-step.js';
import { WalletLinksController } from './wallets/wallet-links.controller.js';
import { WalletsController } from './wallets/wallets.controller.js';
import { WebhookController } from './webhooks/webhook.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WalletsPage } from './wallets/wallets-page.service.js';

/** The pages on which a signed-in person sees and stops everything that acts for them. */
@Module({
  imports: [
    AccountsModule,
    CredentialsModule,
    SignInModule,
    OAuthModule,
    PreparedActionsModule,
    ReceiptsModule,
    WebhooksModule,
  ],
  controllers: [
    OverviewController,
    SignInController,
    SignOutController,
    AppsController,
    KeysController,
    WebhooksController,
    WebhookController,
    WalletsController,
    WalletLinksController,
    SessionsController,
    ReceiptPagesController,
    ActivityController,
  ],
  providers: [
    AccountActivity,
    AccountForms,
    AccountFrames,
    AccountKeys,
    AccountWebhooks,
    ConfirmStep,
    ConfirmedOnce,
    ConnectedApps,
    OnceOnlyForms,
    WalletStep,
    WalletsPage,
  ],
})
export class AccountModule {}

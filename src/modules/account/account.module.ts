import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { PreparedActionsModule } from '../prepared-actions/prepared-actions.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { AccountActivity } from './account-activity.service.js';
import { AccountForms } from './account-forms.js';
import { AccountFrames } from './account-frames.js';
import { AccountKeys } from './account-keys.service.js';
import { ActivityController } from './activity.controller.js';
import { AppsController } from './apps.controller.js';
import { ConfirmStep } from './confirm-step.js';
import { ConnectedApps } from './connected-apps.service.js';
import { KeysController } from './keys.controller.js';
import { OnceOnlyForms } from './once-only-forms.js';
import { OverviewController } from './overview.controller.js';
import { ReceiptPagesController } from './receipt-pages.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SignOutController } from './sign-out.controller.js';
import { WalletStep } from './wallet-step.js';
import { WalletsController } from './wallets.controller.js';

/** The pages on which a signed-in person sees and stops everything that acts for them. */
@Module({
  imports: [AccountsModule, CredentialsModule, SignInModule, OAuthModule, PreparedActionsModule, ReceiptsModule],
  controllers: [
    OverviewController,
    SignInController,
    SignOutController,
    AppsController,
    KeysController,
    WalletsController,
    SessionsController,
    ReceiptPagesController,
    ActivityController,
  ],
  providers: [
    AccountActivity,
    AccountForms,
    AccountFrames,
    AccountKeys,
    ConfirmStep,
    ConnectedApps,
    OnceOnlyForms,
    WalletStep,
  ],
})
export class AccountModule {}

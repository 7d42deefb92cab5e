import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../../platform/rate-limit/rate-limit.module.js';
import { AuthModule } from '../auth.module.js';
import { SignInModule } from '../wallet-sign-in/sign-in.module.js';
import { GivenConsents } from './given-consents.js';
import { InteractionPolicy } from './interaction-policy.js';
import { OAuthAccounts } from './oauth-accounts.js';
import { OAuthRecords } from './oauth-adapter.js';
import { OAuthAudit } from './oauth-audit.js';
import { OAuthClients } from './oauth-clients.js';
import { OAuthConfiguration } from './oauth-configuration.js';
import { OAuthErrorPage } from './oauth-error-page.js';
import { OAuthGrants } from './oauth-grants.js';
import { OAuthLimits } from './oauth-limits.js';
import { OAuthProvider } from './oauth-provider.js';
import { OAuthRequests } from './oauth-requests.js';
import { OAuthServer } from './oauth-server.js';
import { OAuthSweeper } from './oauth.sweeper.js';
import { ClientRules } from './registration/client-rules.js';
import { ClientSettings } from './registration/client-settings.js';
import { ClientSecrets } from './registration/client-secrets.js';
import { MetadataEgress } from './registration/metadata-egress.js';
import { MetadataFetch } from './registration/metadata-fetch.js';
import { RedirectPolicy } from './registration/redirect-policy.js';
import { SigningKeys } from './signing-keys.js';
import { TokenLimits } from './token-limits.js';

/** The authorization server (OAuth 2.1, OpenID Connect): applications, what people allow them, and their tokens. */
@Module({
  imports: [AuthModule, RateLimitModule, SignInModule],
  providers: [
    ClientRules,
    ClientSecrets,
    ClientSettings,
    GivenConsents,
    InteractionPolicy,
    MetadataEgress,
    MetadataFetch,
    OAuthAccounts,
    OAuthAudit,
    OAuthClients,
    OAuthConfiguration,
    OAuthErrorPage,
    OAuthGrants,
    OAuthLimits,
    OAuthProvider,
    OAuthRecords,
    OAuthRequests,
    OAuthServer,
    OAuthSweeper,
    RedirectPolicy,
    SigningKeys,
    TokenLimits,
  ],
  exports: [OAuthClients, OAuthGrants, OAuthServer],
})
export class OAuthModule {}

import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { GivenConsents } from './server/given-consents.js';
import { DocumentSigner } from './server/document-signer.js';
import { InteractionPolicy } from './server/interaction-policy.js';
import { OAuthAccounts } from './server/oauth-accounts.js';
import { RequestingCredentials } from './storage/requesting-credential.js';
import { OAuthRecords } from './storage/oauth-adapter.js';
import { OAuthAudit } from './server/oauth-audit.js';
import { OAuthClients } from './storage/oauth-clients.js';
import { OAuthConfiguration } from './server/oauth-configuration.js';
import { OAuthErrorPage } from './protocol/oauth-error-page.js';
import { OAuthGrants } from './storage/oauth-grants.js';
import { OAuthLimits } from './protocol/oauth-limits.js';
import { OAuthProvider } from './server/oauth-provider.js';
import { OAuthRequests } from './protocol/oauth-requests.js';
import { OAuthServer } from './server/oauth-server.js';
import { OAuthSweeper } from './storage/oauth.sweeper.js';
import { ClientLookUp } from './registration/client-look-up.js';
import { ClientRules } from './registration/client-rules.js';
import { ClientSettings } from './registration/client-settings.js';
import { ClientSecrets } from './registration/client-secrets.js';
import { DocumentAsker } from './registration/document-asker.js';
import { MetadataFetch } from './registration/metadata-fetch.js';
import { RedirectPolicy } from './registration/redirect-policy.js';
import { SigningKeys } from './storage/signing-keys.js';
import { TokenLimits } from './protocol/token-limits.js';

/** The authorization server (OAuth 2.1, OpenID Connect): applications, grants and tokens. */
@Module({
  imports: [AccountsModule, CredentialsModule, RateLimitModule, SignInModule],
  providers: [
    ClientLookUp,
    ClientRules,
    ClientSecrets,
    ClientSettings,
    DocumentAsker,
    DocumentSigner,
    GivenConsents,
    InteractionPolicy,
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
    RequestingCredentials,
    SigningKeys,
    TokenLimits,
  ],
  exports: [DocumentSigner, OAuthClients, OAuthGrants, OAuthServer, RequestingCredentials],
})
export class OAuthModule {}

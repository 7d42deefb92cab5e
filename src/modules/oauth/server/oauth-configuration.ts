import { Injectable } from '@nestjs/common';
import type { Configuration, JWK, KoaContextWithOIDC } from 'oidc-provider';
import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { DPOP_ALGORITHMS } from '../../credentials/dpop-proof.js';
import { SCOPES } from '../../credentials/scope.js';
import { InteractionPolicy } from './interaction-policy.js';
import { errors } from '../protocol/oidc-provider.js';
import { OAuthAccounts } from './oauth-accounts.js';
import { OAuthRecords } from '../storage/oauth-adapter.js';
import { cookieSettings } from '../protocol/oauth-cookies.js';
import { OAuthUnavailable, reachable } from '../protocol/oauth-fault.js';
import { OAuthErrorPage } from '../protocol/oauth-error-page.js';
import { accessTokenLifetime, LIFETIMES } from '../protocol/oauth-lifetimes.js';
import { interactionPath, OAUTH_PATHS } from '../protocol/oauth-paths.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';
import { referenceClient } from '../protocol/reference-client.js';
import { ClientRules, OWN_CLIENT_METADATA } from '../registration/client-rules.js';
import { ClientSettings } from '../registration/client-settings.js';
import { MetadataFetch } from '../registration/metadata-fetch.js';
import { CLIENT_AUTH_METHODS } from '../registration/new-client.js';
import { TECHNICAL_SCOPES, withDefaultScope } from '../protocol/requested-scopes.js';

const SCOPE = SCOPES.join(' ');
const SIGNING_ALGORITHMS = ['ES256', 'PS256', 'EdDSA'] as const;

/**
 * The library's configuration; names were checked against oidc-provider 9.13.3
 * (docs/decisions/oauth.md#settings-of-the-provider).
 */
@Injectable()
export class OAuthConfiguration {
  /** Accepted values of `resource` for this service; tokens are always for the base URL. */
  private readonly aliases: ReadonlySet<string>;

  constructor(
    private readonly environment: Environment,
    private readonly sealer: Sealer,
    private readonly records: OAuthRecords,
    private readonly accounts: OAuthAccounts,
    private readonly policy: InteractionPolicy,
    private readonly clients: ClientRules,
    private readonly metadata: MetadataFetch,
    private readonly errorPage: OAuthErrorPage,
    private readonly requests: OAuthRequests,
    private readonly settings: ClientSettings,
  ) {
    const { baseUrl } = environment;
    this.aliases = new Set([baseUrl, `${baseUrl}/`, `${baseUrl}/v1`, `${baseUrl}/mcp`]);
  }

  /** @param keys private keys; the first one signs. */
  with(keys: readonly JWK[]): Configuration {
    const { baseUrl, corsOrigins, oauthAccessTokenSeconds } = this.environment;
    const { origin: ownOrigin } = new URL(baseUrl);
    return {
      adapter: this.records.adapterOf,
      clients: [referenceClient(this.environment)],
      jwks: { keys: [...keys] },
      findAccount: (_context, accountId) => this.accounts.find(accountId),
      responseTypes: ['code'],
      scopes: [...TECHNICAL_SCOPES, ...SCOPES],
      // No client_secret_jwt, which would need the secret in clear text.
      clientAuthMethods: [...CLIENT_AUTH_METHODS],
      clientDefaults: {
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
      },
      enabledJWA: {
        idTokenSigningAlgValues: ['ES256'],
        clientAuthSigningAlgValues: [...SIGNING_ALGORITHMS],
        dPoPSigningAlgValues: [...DPOP_ALGORITHMS],
      },
      routes: {
        authorization: OAUTH_PATHS.authorization,
        token: OAUTH_PATHS.token,
        jwks: OAUTH_PATHS.jwks,
        registration: OAUTH_PATHS.registration,
        revocation: OAUTH_PATHS.revocation,
        introspection: OAUTH_PATHS.introspection,
        pushed_authorization_request: OAUTH_PATHS.pushedAuthorizationRequest,
        // Not mounted.
        end_session: '/oauth/logout',
      },
      interactions: {
        url: (_context, { uid }) => publicPath(baseUrl, interactionPath(uid)),
        policy: this.policy.prompts(),
      },
      cookies: cookieSettings(baseUrl, this.sealer),
      ttl: {
        ...LIFETIMES,
        AccessToken: (_context, token) => token.resourceServer?.accessTokenTTL ?? oauthAccessTokenSeconds,
      },
      clientBasedCORS: (_context, origin) => origin === ownOrigin || corsOrigins.includes(origin),
      extraClientMetadata: { properties: [...OWN_CLIENT_METADATA], validator: this.clients.validate },
      fetch: this.metadata.fetch,
      renderError: (context, out, error) => this.errorPage.render(context, out, error),
      ...GRANTING,
      features: this.features(),
    };
  }

  private features(): NonNullable<Configuration['features']> {
    const { baseUrl, oauthDynamicRegistration, oauthClientDocuments } = this.environment;
    return {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      claimsParameter: { enabled: false },
      requestObjects: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // An application may revoke only its own tokens; a token of another is answered as if it were unknown.
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
      // Only gateways that the operator registered may introspect (ClientRules says who can set `gateway`). Tokens of a
      // suspended account must count as invalid, and the library does not check accounts here.
      introspection: {
        enabled: true,
        allowedPolicy: async (_context, client, token) =>
          client['gateway'] === true &&
          'accountId' in token &&
          (await this.accounts.find(token.accountId)) !== undefined,
      },
      registration: {
        enabled: oauthDynamicRegistration,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
      },
      clientIdMetadataDocument: {
        enabled: oauthClientDocuments,
        ack: 'draft-02',
        // No transaction may wait for a stranger's host. OAuthServer fetches the document before the library consumes
        // anything; where it was forgotten since, the request is rolled back, and the next one fetches it again.
        allowFetch: () => {
          if (this.requests.isHolding) throw new OAuthUnavailable(new Error('A document is missing in a transaction'));
          return true;
        },
      },
      pushedAuthorizationRequests: { enabled: true },
      // Only the current key is used: a nonce lives for minutes, and a client with an older nonce gets a new one.
      dPoP: { enabled: true, nonceSecret: this.sealer.hmac('dpop-nonce', 'nonce') },
      fapi: {
        enabled: true,
        profile: (_context, client) => (client?.['security_profile'] === 'fapi2' ? '2.0' : undefined),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, _client, oneOf) => oneOf ?? baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource, client) => this.resourceServer(resource, client.clientId),
      },
    };
  }

  private async resourceServer(resource: string, clientId: string) {
    if (!this.aliases.has(resource)) throw new errors.InvalidTarget();
    return {
      scope: SCOPE,
      audience: this.environment.baseUrl,
      accessTokenTTL: await this.accessTokenSeconds(clientId),
      accessTokenFormat: 'opaque',
    } as const;
  }

  /**
   * Lifetime of an application's access tokens. The setting is read only at the token endpoint, where tokens are made.
   */
  private async accessTokenSeconds(clientId: string): Promise<number> {
    if (this.requests.current?.request.path !== OAUTH_PATHS.token) return accessTokenLifetime(null, this.environment);
    // Read in the request's transaction, so that no second connection is needed.
    const own = await reachable(() => this.requests.within(() => this.settings.accessTokenSeconds(clientId)));
    return accessTokenLifetime(own, this.environment);
  }
}

/** Settings for granting: which requests get tokens, and of which kind. */
const GRANTING = {
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  extraParams: {
    scope: (context: KoaContextWithOIDC, value: string | undefined) => {
      const { params } = context.oidc;
      if (params) params['scope'] = withDefaultScope(value);
    },
  },
  // Only the grant that the person has just given is loaded, so every new authorization asks for consent.
  loadExistingGrant: ({ oidc }: KoaContextWithOIDC) => {
    const grantId = oidc.result?.consent?.grantId;
    return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
  },
  // The library's own rule wants offline_access and prompt=consent, which many clients do not send.
  issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
  // Signing out does not disconnect applications; "Connected apps" does.
  expiresWithSession: () => false,
  rotateRefreshToken: ({ oidc }: KoaContextWithOIDC) =>
    oidc.client?.clientAuthMethod === 'none' && oidc.entities.RefreshToken?.isSenderConstrained() === false,
  // Revoking a token ends its whole grant, so that an application without tokens is not shown as connected.
  revokeGrantPolicy: () => true,
} satisfies Partial<Configuration>;

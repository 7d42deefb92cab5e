import { Injectable, Logger } from '@nestjs/common';
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AuditEventName } from '../../accounts/audit/audit-log.js';
import { errors } from '../protocol/oidc-provider.js';
import { OAuthUnavailable } from '../protocol/oauth-fault.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';
import { OAuthRateLimited } from '../protocol/token-limits.js';
import { permissionsIn } from '../protocol/requested-scopes.js';

const SERVER_FAULT = 500;
const UNAVAILABLE = 503;
const RETRY_SECONDS = '2';

/** Context of a middleware of the library. */
type AnswerContext = Parameters<Parameters<Provider['use']>[0]>[0];

/** Matches the library's message about a code or refresh token that is used a second time. */
const REUSED = /already (?:used|consumed)$/;

/**
 * Records what the library does, from its events. The audit rows are written before the answer is sent; an answer that
 * cannot be recorded is withheld.
 */
@Injectable()
export class OAuthAudit {
  private readonly logger = new Logger('oauth');

  constructor(private readonly requests: OAuthRequests) {}

  /** Subscribes to the events of an instance of the library. */
  listen(provider: Provider): void {
    this.hearAuthorizations(provider);
    this.hearTokens(provider);
    this.hearRegistrations(provider);
    provider.on('server_error', (_context, error) => {
      const requestId = this.requests.current?.request.context.requestId;
      this.logger.error({ err: error, requestId }, 'request failed');
    });
    provider.use(async (context, next) => {
      await next();
      await this.finish(context);
    });
  }

  private hearAuthorizations(provider: Provider): void {
    provider.on('pushed_authorization_request.success', (context) => {
      this.note('authorization_requested', context, { pushed: true });
    });
    provider.on('interaction.started', (context, { name }) => {
      this.note('authorization_requested', context, { prompt: name });
    });
    provider.on('authorization.success', (context) => {
      this.note('authorization_requested', context, { outcome: 'code_issued' });
    });
    const refused = (context: KoaContextWithOIDC, error: Error) => {
      this.note('authorization_refused', context, reasonOf(error));
    };
    provider.on('authorization.error', refused);
    provider.on('pushed_authorization_request.error', refused);
  }

  private hearTokens(provider: Provider): void {
    provider.on('grant.success', (context) => {
      const { AccessToken: token } = context.oidc.entities;
      this.note('token_issued', context, {
        grant_type: String(context.oidc.params?.['grant_type']),
        scope: permissionsIn(token?.scope),
        bound: token?.isSenderConstrained() ?? false,
      });
    });
    provider.on('grant.error', (context, error) => {
      // Not recorded, because no token was tried; the rate limit counts the refusal.
      if (error instanceof OAuthRateLimited) return;
      const reason = reasonOf(error);
      const isReuse = typeof reason['reason'] === 'string' && REUSED.test(reason['reason']);
      this.note(isReuse ? 'token_reuse_detected' : 'token_refused', context, reason);
    });
    provider.on('revocation.error', (context, error) => this.note('token_refused', context, reasonOf(error)));
    provider.on('introspection.error', (context, error) => this.note('token_refused', context, reasonOf(error)));
  }

  private hearRegistrations(provider: Provider): void {
    provider.on('registration_create.success', (context, client: Client) => {
      this.note('client_registered', context, { name: client.clientName ?? null, redirect_uris: client.redirectUris });
    });
    provider.on('registration_create.error', (context, error) => {
      this.note('client_registration_refused', context, reasonOf(error));
    });
  }

  private note(event: AuditEventName, { oidc }: KoaContextWithOIDC, detail: Readonly<Record<string, unknown>>): void {
    const { client, entities } = oidc;
    const source = entities.AccessToken ?? entities.RefreshToken ?? entities.AuthorizationCode;
    // For a replay the library names no account; the grant that the replay has ended does.
    const ended = this.requests.noted('grant_revoked');
    this.requests.note({
      event,
      accountId:
        entities.Account?.accountId ?? source?.accountId ?? ended?.accountId ?? oidc.session?.accountId ?? null,
      clientId: client?.clientId ?? null,
      credentialId: source?.grantId ?? entities.Grant?.jti ?? ended?.credentialId ?? null,
      // The name is recorded, because before the first consent it is stored nowhere else.
      detail: client?.clientName === undefined ? detail : { name: client.clientName, ...detail },
    });
  }

  /** Records answers of the revocation and introspection endpoints, for which the library has no event. */
  private noteAnswer(context: KoaContextWithOIDC, body: unknown): void {
    const { oidc, status } = context;
    const known = oidc.entities.AccessToken ?? oidc.entities.RefreshToken;
    if (status !== 200 || !oidc.client) return;
    if (oidc.route === 'revocation' && known?.clientId === oidc.client.clientId) {
      this.note('token_revoked', context, { kind: known.kind });
    }
    if (oidc.route === 'introspection') {
      const isActive = typeof body === 'object' && body !== null && 'active' in body && body.active === true;
      this.note('token_inspected', context, { active: isActive });
    }
  }

  private async finish(context: AnswerContext): Promise<void> {
    const failed = context.status >= SERVER_FAULT;
    try {
      if (!failed && reachedEndpoint(context)) this.noteAnswer(context, context.body);
      await this.requests.end(failed || isWrongTarget(context.body));
      // What the request did was rolled back, so the browser must keep the cookies with which it can be sent again.
      if (failed) context.remove('Set-Cookie');
    } catch (error) {
      this.logger.error({ err: error }, 'an answer was withheld because it could not be recorded');
      withhold(context, error);
    }
    // Where a limit has refused what is needed, it has said when it ends.
    if (context.status === UNAVAILABLE && !context.response.get('Retry-After')) {
      context.set('Retry-After', RETRY_SECONDS);
    }
  }
}

/**
 * True for an `invalid_target` error, after which the transaction is rolled back. The library checks `resource` only
 * after it has consumed the code or the refresh token, and a wrong `resource` must not end the connection. Nothing that
 * must stay, such as the end of a grant, ever occurs together with this error.
 */
function isWrongTarget(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_target';
}

/** True when the request reached an endpoint, for which the library has made its own context. */
function reachedEndpoint(context: AnswerContext | KoaContextWithOIDC): context is KoaContextWithOIDC {
  return 'oidc' in context;
}

/** Replaces an answer by a 503. */
function withhold(context: AnswerContext, error: unknown): void {
  const { error: name, error_description: description } = new OAuthUnavailable(error);
  for (const header of ['Location', 'Set-Cookie', 'WWW-Authenticate']) context.remove(header);
  context.status = UNAVAILABLE;
  context.body = { error: name, error_description: description };
}

/**
 * The error for an audit entry. The library's detailed text is kept only for grant errors, because other texts may
 * repeat input.
 */
function reasonOf(error: Error): Record<string, unknown> {
  if (!(error instanceof errors.OIDCProviderError)) return { error: 'server_error' };
  const reason = error instanceof errors.InvalidGrant ? error.error_detail : undefined;
  return { error: error.error, ...(reason === undefined ? {} : { reason }) };
}

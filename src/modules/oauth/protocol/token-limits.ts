import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { AdapterPayload } from 'oidc-provider';
import { Environment } from '../../../platform/config/environment.js';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { policyOf, secondsUntil, writeLimitHeaders } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';
import { errors } from './oidc-provider.js';
import { OAUTH_PATHS } from './oauth-paths.js';
import { OAuthRequests } from './oauth-requests.js';

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 10_000;
const REFUSED = 429;
/**
 * Limit of all grants of an account together, as a multiple of one grant's limit, so that many grants do not multiply
 * it.
 */
const GRANTS_PER_ACCOUNT = 4;

/** Too many requests, as an OAuth error, because OAuth clients read no other format. */
export class OAuthRateLimited extends errors.OIDCProviderError {
  constructor(description: string) {
    super(REFUSED, 'temporarily_unavailable');
    this.name = 'OAuthRateLimited';
    this.expose = true;
    this.error_description = description;
  }
}

/**
 * Limits the requests to the token endpoint per minute: by grant, by account over all its grants, and by application
 * over all its grants. Only a known and live code or refresh token is counted, and the account limit keeps one account
 * from using up its application's limit. Failed requests count against the client address (`OAuthLimits`). Counting
 * comes before the code or token is consumed, so a refused request can be sent again later.
 */
@Injectable()
export class TokenLimits {
  private readonly byGrant: LeasedWindows;
  private readonly byAccount: LeasedWindows;
  private readonly byClient: LeasedWindows;
  private readonly policy: string;
  private readonly clients = new LRUCache<string, true>({ max: MAX_CLIENTS });

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly budget: AddressBudget,
    private readonly requests: OAuthRequests,
    private readonly clock: Clock,
  ) {
    this.byGrant = store.bucket('oauth-grant', environment.rateLimitToken, MINUTE_MS);
    this.byAccount = store.bucket('oauth-account', GRANTS_PER_ACCOUNT * environment.rateLimitToken, MINUTE_MS);
    this.byClient = store.bucket('oauth-client', environment.rateLimitTokenClient, MINUTE_MS);
    this.policy = `${policyOf(this.byGrant)}, ${policyOf(this.byClient)}`;
  }

  /**
   * Call it before a look-up for the token endpoint. While the client address is over its limit, only tokens made by
   * this service and applications that recently got tokens are looked up. @throws OAuthRateLimited.
   */
  assertWorthLooking(kind: 'Client' | 'RefreshToken' | 'AuthorizationCode', id: string): void {
    const request = this.tokenRequest;
    const spentUntil = request === null ? null : this.budget.spentUntil(request.ip);
    if (request === null || spentUntil === null) return;
    if (kind === 'Client' ? this.clients.has(id) : this.budget.recognises(id)) return;
    this.refuse(request, 'address', spentUntil, 'too many requests that fail come from this address');
  }

  /**
   * Counts one use of a found code or token. A consumed one is not counted; the library refuses it. @throws
   * OAuthRateLimited.
   */
  async take({ grantId, accountId, clientId, consumed }: AdapterPayload): Promise<void> {
    const request = this.tokenRequest;
    if (request === null || grantId === undefined || clientId === undefined || consumed !== undefined) return;
    this.clients.set(clientId, true);
    const own = await this.byGrant.take(grantId);
    const ofAccount = own.allowed && accountId !== undefined ? await this.byAccount.take(accountId) : null;
    const ofClient = own.allowed && ofAccount?.allowed !== false ? await this.byClient.take(clientId) : null;
    if (request.res !== undefined) {
      const second = ofClient && { bucket: this.byClient, grant: ofClient };
      const policy = second === null ? policyOf(this.byGrant) : this.policy;
      writeLimitHeaders(request.res, policy, { bucket: this.byGrant, grant: own }, second, this.clock.nowMs());
    }
    if (!own.allowed) this.refuse(request, this.byGrant.name, own.endsAtMs, 'too many token requests for this grant');
    if (ofAccount?.allowed === false) {
      this.refuse(request, this.byAccount.name, ofAccount.endsAtMs, 'too many token requests for this account');
    }
    if (ofClient?.allowed === false) {
      const what = 'too many token requests of this application';
      this.refuse(request, this.byClient.name, ofClient.endsAtMs, what);
    }
  }

  /**
   * The running request if it is to the token endpoint; otherwise null, because revocation and introspection also look
   * tokens up.
   */
  private get tokenRequest(): Request | null {
    const request = this.requests.current?.request;
    return request?.path === OAUTH_PATHS.token ? request : null;
  }

  private refuse({ context, res }: Request, limit: string, endsAtMs: number, what: string): never {
    context.limitOutcome = limit;
    context.errorCode = 'rate_limited';
    context.addressIsSpared = true;
    res?.setHeader('Retry-After', secondsUntil(endsAtMs, this.clock.nowMs()));
    res?.setHeader('X-Limit-Remaining', 0);
    throw new OAuthRateLimited(`${what}; see Retry-After`);
  }
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ApiError } from '../../../platform/http/api-error.js';
import type { ContextRequest, Principal } from '../../../platform/http/principal.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import { AuthenticationFailures } from '../../../platform/rate-limit/authentication-failures.js';
import { AccessTokens } from '../access-tokens/access-tokens.js';
import { type PresentedToken, presentedToken } from '../presented-token.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { isTaggedKey } from '../api-keys/api-key-format.js';
import { ApiKeyVerifier } from '../api-keys/api-key-verifier.js';
import { VerifiedKeys } from '../api-keys/verified-keys.js';
import { type Challenged, CredentialChallenge, ProtectedResource } from '../credential-challenge.js';
import { isTaggedToken } from '../credential-tags.js';
import { ANY_SCOPE, RequiredScope, SCOPE_OF_ACTION } from '../scope.js';

const AUTHORIZATION = 'authorization';

/** Identifies the caller by two headers only: never by the query, a cookie, the body or Basic credentials. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly verified: VerifiedKeys,
    private readonly keys: ApiKeyVerifier,
    private readonly tokens: AccessTokens,
    private readonly failures: AuthenticationFailures,
    private readonly budget: AddressBudget,
    private readonly challenge: CredentialChallenge,
    sealer: Sealer,
  ) {
    budget.recogniseBy((secret) => isTaggedKey(sealer, secret) || isTaggedToken(sealer, secret));
  }

  /**
   * Sets the principal of the request. Answers synchronously for a key or a bearer token that was verified a few
   * seconds ago.
   * @throws ApiError of status 400, 401, 403 (suspended account) or 429 (too many failures).
   */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.reflector.get(Public, context.getHandler()) !== undefined) return true;
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const { 'x-api-key': key, authorization } = request.headers;
    if (typeof key !== 'string') return this.admitToken(context, request, authorization);
    if (authorization !== undefined || sentTwice(request, key)) throw ambiguous();
    const known = this.verified.recall(key, request.ip);
    if (known === null) return this.verifyKey(context, request, key);
    return admit(request, known);
  }

  private async verifyKey(context: ExecutionContext, request: ContextRequest, key: string): Promise<boolean> {
    const { principal, refusal, keyId } = await this.keys.verify(key, request.ip);
    if (refusal) {
      if (refusal.code !== 'account_suspended') await this.failures.record(request, responseOf(context), keyId);
      throw refusal;
    }
    this.budget.vouch(request, key);
    return admit(request, principal);
  }

  private admitToken(
    context: ExecutionContext,
    request: ContextRequest,
    authorization: string | undefined,
  ): boolean | Promise<boolean> {
    const presented = authorization === undefined ? null : presentedToken(authorization);
    if (authorization !== undefined && authorizedTwice(request)) throw ambiguous();
    if (presented === null) {
      this.failures.tellAnonymous(request, responseOf(context));
      throw new ApiError(
        'unauthenticated',
        'This operation needs a credential.',
        'Send an API key in the X-Api-Key header, or an access token in the Authorization header.',
        this.challenge.unauthenticated(this.calledIn(context)),
      );
    }
    const known = this.tokens.recall(presented);
    return known === null ? this.verifyToken(context, request, presented) : admit(request, known);
  }

  private async verifyToken(
    context: ExecutionContext,
    request: ContextRequest,
    presented: PresentedToken,
  ): Promise<boolean> {
    const verdict = await this.tokens.verify(presented, request, this.calledIn(context));
    if (verdict.refusal === null) {
      this.budget.vouch(request, presented.token);
      return admit(request, verdict.principal);
    }
    if (verdict.isGuess) await this.failures.record(request, responseOf(context), verdict.grantId);
    // A once valid token does not count against the address: many clients with expired tokens may share it.
    else request.context.addressIsSpared = true;
    throw verdict.refusal;
  }

  /**
   * What the challenge says of the operation, so that a client can ask for its scope; it names none where that depends on
   * what is asked for.
   */
  private calledIn(context: ExecutionContext): Challenged {
    const handler = context.getHandler();
    const required = this.reflector.get(RequiredScope, handler);
    return {
      scope: required === SCOPE_OF_ACTION || required === ANY_SCOPE ? undefined : required,
      resource: this.reflector.get(ProtectedResource, handler),
    };
  }
}

function responseOf(context: ExecutionContext): Response {
  return context.switchToHttp().getResponse<Response>();
}

/** A request that names no version gets the one pinned to its credential (docs/decisions/interface.md#versions). */
function admit({ context }: ContextRequest, principal: Principal): true {
  context.principal = principal;
  if (!context.versionNamed) context.version = principal.pinnedVersion;
  return true;
}

/** Node joins repeated headers with a comma, which no key contains; the expensive check runs only then. */
function sentTwice(request: ContextRequest, key: string): boolean {
  return key.includes(',') && (request.headersDistinct['x-api-key']?.length ?? 0) > 1;
}

/** Node keeps only the first of repeated `Authorization` headers, so the raw list is searched. */
function authorizedTwice({ rawHeaders }: ContextRequest): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) seen += 1;
  }
  return seen > 1;
}

function ambiguous(): ApiError {
  return new ApiError(
    'ambiguous_credentials',
    'More than one credential was sent.',
    'Send either one X-Api-Key header or one Authorization header.',
  );
}

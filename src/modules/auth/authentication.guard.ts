import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../../platform/http/api-error.js';
import type { ContextRequest, Principal } from '../../platform/http/principal.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { AuthenticationFailures } from '../../platform/rate-limit/authentication-failures.js';
import { ApiKeyVerifier } from './api-keys/api-key-verifier.js';
import { VerifiedKeys } from './api-keys/verified-keys.js';
import { CredentialChallenge } from './credential-challenge.js';

const BEARER = /^Bearer(?: |$)/i;

/** Asks who is calling. Only two headers are looked at: never the query, a cookie or Basic credentials. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly verified: VerifiedKeys,
    private readonly keys: ApiKeyVerifier,
    private readonly failures: AuthenticationFailures,
    private readonly challenge: CredentialChallenge,
  ) {}

  /**
   * Puts the principal on the request. Answers at once for a key that was verified a moment ago.
   * @throws ApiError of status 400, 401, 403 (suspended account) or 429 (too many failures).
   */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.reflector.get(Public, context.getHandler()) !== undefined) return true;
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const { 'x-api-key': key, authorization } = request.headers;
    if (typeof key !== 'string') return this.refuseWithoutKey(request, authorization);
    if (authorization !== undefined || sentTwice(request, key)) throw ambiguous();
    const known = this.verified.recall(key, request.ip);
    if (known === null) return this.verify(request, key);
    return admit(request, known);
  }

  private async verify(request: ContextRequest, key: string): Promise<boolean> {
    const { principal, refusal, keyId } = await this.keys.verify(key, request.ip);
    if (refusal) {
      if (refusal.code !== 'account_suspended') await this.failures.record(request.ip, keyId);
      throw refusal;
    }
    return admit(request, principal);
  }

  private async refuseWithoutKey(request: ContextRequest, authorization: string | undefined): Promise<never> {
    if (authorization !== undefined && BEARER.test(authorization)) {
      await this.failures.record(request.ip, null);
      throw new ApiError(
        'invalid_token',
        'The access token is not valid.',
        'Send an API key in the X-Api-Key header.',
        this.challenge.invalidToken(),
      );
    }
    throw new ApiError(
      'unauthenticated',
      'This operation needs a credential.',
      'Send an API key in the X-Api-Key header.',
      this.challenge.unauthenticated(),
    );
  }
}

/** A request that names no version gets the one pinned to its credential (design/interface.md §4). */
function admit({ context }: ContextRequest, principal: Principal): true {
  context.principal = principal;
  if (!context.versionNamed) context.version = principal.pinnedVersion;
  return true;
}

/** Node joins repeated headers with a comma, which no key holds; only then is the costly look worth it. */
function sentTwice(request: ContextRequest, key: string): boolean {
  return key.includes(',') && (request.headersDistinct['x-api-key']?.length ?? 0) > 1;
}

function ambiguous(): ApiError {
  return new ApiError(
    'ambiguous_credentials',
    'More than one credential was sent.',
    'Send either one X-Api-Key header or one Authorization header.',
  );
}

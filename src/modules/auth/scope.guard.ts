import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../../platform/http/api-error.js';
import type { ContextRequest } from '../../platform/http/principal.js';
import { CredentialChallenge } from './credential-challenge.js';
import { RequiredScope } from './scope.js';

/** Asks whether the credential has the route's one scope. No scope contains another. */
// spec: Authentication, rules 1 to 3
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly challenge: CredentialChallenge,
  ) {}

  /** @throws ApiError `insufficient_scope`. */
  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.get(RequiredScope, context.getHandler());
    if (required === undefined) return true;
    const { principal } = context.switchToHttp().getRequest<ContextRequest>().context;
    if (!principal) throw new Error('The scope guard runs after authentication');
    if (principal.scopes.includes(required)) return true;
    const held = principal.scopes.map((scope) => `"${scope}"`).join(', ') || 'none';
    throw new ApiError(
      'insufficient_scope',
      `This operation needs the scope "${required}"; the credential has ${held}.`,
      `Use a credential with the scope "${required}".`,
      this.challenge.insufficientScope(required),
    );
  }
}

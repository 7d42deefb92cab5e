import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ContextRequest } from '../../../platform/http/principal.js';
import { ScopeCheck } from './scope-check.js';
import { ANY_SCOPE, RequiredScope, SCOPE_OF_ACTION } from '../scope.js';

/** Checks that the credential has the scope that the route requires. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly scopes: ScopeCheck,
  ) {}

  /** @throws ApiError `insufficient_scope`. */
  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.get(RequiredScope, context.getHandler());
    if (required === undefined) return true;
    const { principal } = context.switchToHttp().getRequest<ContextRequest>().context;
    if (!principal) throw new Error('The scope guard runs after authentication');
    if (required !== SCOPE_OF_ACTION && required !== ANY_SCOPE) this.scopes.require(principal, required);
    return true;
  }
}

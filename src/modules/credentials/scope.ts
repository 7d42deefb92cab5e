import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';

/**
 * The four operation scopes (docs/decisions/interface.md#credentials-and-scopes). No hierarchy: each route needs
 * exactly one.
 */
export const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope allows (docs/decisions/interface.md#credentials-and-scopes). */
export const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  read: 'Reading marketplace resources visible to the caller.',
  buyer: 'Preparing buyer wallet actions for a task the caller owns.',
  worker: 'Preparing worker wallet actions.',
  'agent-owner': 'Managing owned agent profiles and reading the owner escrow-node inbox.',
};

/** Stands for the scope with which the action in the path was prepared; the action's service checks it. */
export const SCOPE_OF_ACTION = 'scope-of-action';

/** Stands for whatever scopes a credential has: what the route leads to requires its own. */
export const ANY_SCOPE = 'any-scope';

/** The scopes of the operations that prepare actions. */
const PREPARING_SCOPES: readonly Scope[] = ['read', 'buyer', 'worker'];

/** The one scope a route requires. A route with neither this nor `@Public` does not boot (route-audit.ts). */
export const RequiredScope = Reflector.createDecorator<Scope | typeof SCOPE_OF_ACTION | typeof ANY_SCOPE>();

/** Names of the two security schemes in the OpenAPI document. */
export const API_KEY_SCHEME = 'ApiKey';
export const OAUTH_SCHEME = 'OAuth2';

/** True for one of the four scopes. */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/**
 * Requires exactly one scope and documents it for both kinds of credential. An API key's scheme has no scopes in
 * OpenAPI, so `x-required-scope` names it for both. rule: docs/decisions/interface.md#credentials-and-scopes
 */
export function RequireScope(scope: Scope): MethodDecorator {
  return applyDecorators(
    RequiredScope(scope),
    ApiSecurity(API_KEY_SCHEME),
    ApiSecurity(OAUTH_SCHEME, [scope]),
    ApiExtension('x-required-scope', scope),
  );
}

/**
 * Requires the scope with which the action in the path was prepared. That scope is known only once the action is read,
 * so the guard admits every valid credential and the service calls `ScopeCheck.require`.
 */
export function RequireScopeOfAction(): MethodDecorator {
  return applyDecorators(
    RequiredScope(SCOPE_OF_ACTION),
    ApiSecurity(API_KEY_SCHEME),
    ...PREPARING_SCOPES.map((scope) => ApiSecurity(OAUTH_SCHEME, [scope])),
    ApiExtension('x-required-scope', SCOPE_OF_ACTION),
  );
}

import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';

/** The four operation scopes (spec: Authentication, Scopes). No hierarchy: each route needs exactly one. */
export const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'] as const;
export type Scope = (typeof SCOPES)[number];

/** The one scope a route requires. A route with neither this nor `@Public` does not boot (route-audit.ts). */
export const RequiredScope = Reflector.createDecorator<Scope>();

/** Names of the two security schemes in the OpenAPI document. */
export const API_KEY_SCHEME = 'ApiKey';
export const OAUTH_SCHEME = 'OAuth2';

/** True for one of the four scopes. */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/**
 * Asks for exactly one scope, and documents it: either credential will do. An API key's scheme has no scopes in
 * OpenAPI, so `x-required-scope` names it for both.
 */
// spec: Authentication, rule 1
export function RequireScope(scope: Scope): MethodDecorator {
  return applyDecorators(
    RequiredScope(scope),
    ApiSecurity(API_KEY_SCHEME),
    ApiSecurity(OAUTH_SCHEME, [scope]),
    ApiExtension('x-required-scope', scope),
  );
}

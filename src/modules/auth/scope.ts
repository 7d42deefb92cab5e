import { Reflector } from '@nestjs/core';

/** The four operation scopes (spec: Authentication, Scopes). No hierarchy: each route needs exactly one. */
export const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'] as const;
export type Scope = (typeof SCOPES)[number];

/** The one scope a route requires. A route with neither this nor `@Public` does not boot (route-audit.ts). */
export const RequiredScope = Reflector.createDecorator<Scope>();

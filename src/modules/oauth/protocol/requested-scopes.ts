import { isScope, type Scope, SCOPES } from '../../credentials/scope.js';

/** Scopes of the protocol that grant no permission in the interface. */
export const TECHNICAL_SCOPES: readonly string[] = ['offline_access', 'openid'];

const DEFAULT_SCOPE: Scope = 'read';

/** The permissions in a requested scope, in the order of `SCOPES`; other names are ignored. */
export function permissionsIn(scope: unknown): Scope[] {
  const named = typeof scope === 'string' ? scope.split(' ').filter(isScope) : [];
  return SCOPES.filter((each) => named.includes(each));
}

/** The `scope` of a request; a request that names no permission gets `read` added. */
export function withDefaultScope(scope: string | undefined): string {
  if (permissionsIn(scope).length > 0 && scope !== undefined) return scope;
  return scope ? `${scope} ${DEFAULT_SCOPE}` : DEFAULT_SCOPE;
}

/** The technical scopes of a request. */
export function technicalScopesIn(scope: unknown): string[] {
  const named = typeof scope === 'string' ? scope.split(' ') : [];
  return TECHNICAL_SCOPES.filter((each) => named.includes(each));
}

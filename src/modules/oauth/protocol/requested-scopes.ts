import { isScope, type Scope, SCOPES } from '../../credentials/scope.js';

/** Scopes that are no permission of the interface. */
export const TECHNICAL_SCOPES: readonly string[] = ['offline_access', 'openid'];

const DEFAULT_SCOPE: Scope = 'read';

/** What an application asks to be allowed, in the order of the four; everything else it names is no permission. */
export function permissionsIn(scope: unknown): Scope[] {
  const named = typeof scope === 'string' ? scope.split(' ').filter(isScope) : [];
  return SCOPES.filter((each) => named.includes(each));
}

/** The `scope` of a request with the default in it: whoever names no permission asks for `read`. */
export function withDefaultScope(scope: string | undefined): string {
  if (permissionsIn(scope).length > 0 && scope !== undefined) return scope;
  return scope ? `${scope} ${DEFAULT_SCOPE}` : DEFAULT_SCOPE;
}

/** The technical scopes of a request. */
export function technicalScopesIn(scope: unknown): string[] {
  const named = typeof scope === 'string' ? scope.split(' ') : [];
  return TECHNICAL_SCOPES.filter((each) => named.includes(each));
}

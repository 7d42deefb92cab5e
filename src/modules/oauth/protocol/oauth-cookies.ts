import type { Configuration } from 'oidc-provider';
import type { Sealer } from '../../../platform/secrets/sealer.js';

/**
 * Settings of oidc-provider's cookies. On https their names have a prefix, so that browsers accept them only from this
 * host: `__Host-` when the service has the whole host, `__Secure-` below a path. The library binds the cookies of an
 * interaction to its path.
 */
export function cookieSettings(baseUrl: string, sealer: Sealer): NonNullable<Configuration['cookies']> {
  const { protocol, pathname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const isWholeHost = pathname === '/';
  const path = pathname.replace(/\/$/, '');
  const secure = isSecure ? '__Secure-' : '';
  const attributes = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure } as const;
  return {
    keys: sealer.hmacs('oauth-cookies', 'signature').map((key) => key.toString('base64url')),
    names: {
      session: `${isSecure && isWholeHost ? '__Host-' : secure}tasktree_oauth`,
      interaction: `${secure}tasktree_interaction`,
      resume: `${secure}tasktree_resume`,
    },
    long: { ...attributes, path: isWholeHost ? '/' : path },
    short: attributes,
  };
}

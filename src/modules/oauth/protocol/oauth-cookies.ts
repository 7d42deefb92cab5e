import type { Configuration } from 'oidc-provider';
import type { Sealer } from '../../../platform/secrets/sealer.js';

/**
 * The library's cookies. On https they carry a prefix by which browsers refuse them from anywhere else: `__Host-` where
 * the whole host is ours, `__Secure-` below a path. Those of one interaction are bound to its path by the library.
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

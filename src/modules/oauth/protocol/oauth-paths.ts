/** Paths of the library's endpoints, below the path of the base URL. */
export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  resume: '/oauth/authorize/:uid',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  pushedAuthorizationRequest: '/oauth/par',
  jwks: '/oauth/jwks',
  metadata: '/.well-known/oauth-authorization-server',
  openidMetadata: '/.well-known/openid-configuration',
} as const;

/** Path of the pages of an interaction. @param uid of the interaction. */
export function interactionPath(uid: string): string {
  return `/oauth/interaction/${uid}`;
}

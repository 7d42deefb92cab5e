import { SCOPE_TEXTS } from '../../credentials/scope.js';

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

/** The one flow of the authorization server, in the members that OpenAPI and A2A 1.0 share. */
export function authorizationCodeFlow(baseUrl: string) {
  return {
    authorizationUrl: baseUrl + OAUTH_PATHS.authorization,
    tokenUrl: baseUrl + OAUTH_PATHS.token,
    refreshUrl: baseUrl + OAUTH_PATHS.token,
    scopes: SCOPE_TEXTS,
  };
}

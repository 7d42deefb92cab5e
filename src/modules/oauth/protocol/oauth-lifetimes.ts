const DAY_SECONDS = 86_400;

/**
 * Lifetime of a person's consent, in days. It must not be shorter than a refresh token's, which ends with the consent.
 */
export const GRANT_DAYS = 90;

/**
 * Lifetime of an access token in seconds: the application's own (`npm run clients -- set`), else the deployment's
 * (OAUTH_ACCESS_TOKEN_SECONDS).
 */
export function accessTokenLifetime(
  ofApplication: number | null | undefined,
  { oauthAccessTokenSeconds }: { readonly oauthAccessTokenSeconds: number },
): number {
  return ofApplication ?? oauthAccessTokenSeconds;
}

/** Lifetimes of everything else, in seconds, for the library. */
export const LIFETIMES = {
  AuthorizationCode: 60,
  RefreshToken: 30 * DAY_SECONDS,
  Grant: GRANT_DAYS * DAY_SECONDS,
  Interaction: 600,
  Session: 8 * 3600,
  IdToken: 300,
  PushedAuthorizationRequest: 60,
} as const;

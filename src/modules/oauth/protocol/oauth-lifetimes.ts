const DAY_SECONDS = 86_400;

/**
 * Lifetime of a person's consent, in days. It must not be shorter than a refresh token's, which ends with the consent.
 */
export const GRANT_DAYS = 90;

/**
 * Lifetimes for the library, in seconds. The operator sets that of access tokens (OAUTH_ACCESS_TOKEN_SECONDS,
 * `ClientSettings`).
 */
export const LIFETIMES = {
  AuthorizationCode: 60,
  RefreshToken: 30 * DAY_SECONDS,
  Grant: GRANT_DAYS * DAY_SECONDS,
  Interaction: 600,
  Session: 8 * 3600,
  IdToken: 300,
  PushedAuthorizationRequest: 60,
} as const;

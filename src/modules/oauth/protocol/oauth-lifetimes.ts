const DAY_SECONDS = 86_400;

/** How long a person's consent lasts; not shorter than any refresh token, which would die with it. */
export const GRANT_DAYS = 90;

/** Seconds, for the library; of access tokens the operator decides (OAUTH_ACCESS_TOKEN_SECONDS, `ClientSettings`). */
export const LIFETIMES = {
  AuthorizationCode: 60,
  RefreshToken: 30 * DAY_SECONDS,
  Grant: GRANT_DAYS * DAY_SECONDS,
  Interaction: 600,
  Session: 8 * 3600,
  IdToken: 300,
  PushedAuthorizationRequest: 60,
} as const;

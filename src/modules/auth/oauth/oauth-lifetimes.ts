const DAY_SECONDS = 86_400;

/** How long a person's consent lasts; not shorter than any refresh token, which would die with it. */
export const GRANT_DAYS = 90;

/** Seconds, for the library (http-and-auth.md §4.4). */
export const LIFETIMES = {
  AuthorizationCode: 60,
  AccessToken: 900,
  RefreshToken: 30 * DAY_SECONDS,
  Grant: GRANT_DAYS * DAY_SECONDS,
  Interaction: 600,
  Session: 8 * 3600,
  IdToken: 300,
  PushedAuthorizationRequest: 60,
} as const;

import { DISCOVERY_PATHS } from './discovery-paths.js';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/**
 * `/.well-known/security.txt` (RFC 9116). It is made anew each day, so that it never expires while the service runs, and
 * is the same all day.
 * @param contact a `mailto:` or `https:` URL.
 * @param nowMs milliseconds since the epoch (UTC).
 */
export function securityText({ contact, baseUrl }: { contact: string; baseUrl: string }, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    // The standard takes no other scheme.
    ...(baseUrl.startsWith('https:') ? [`Canonical: ${baseUrl}${DISCOVERY_PATHS.security}`] : []),
    '',
  ].join('\n');
}

/** A redirect URI, read. */
interface RedirectUri {
  /** Host name or address, without port. */
  readonly host: string;
  /** True for `http` to the person's own machine (RFC 8252). */
  readonly isLoopback: boolean;
}

const MAX_LENGTH = 2048;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/;

/**
 * Reads a redirect URI: `https`, or `http` to a loopback host. It must be written as a browser would write it, so there
 * is no user, fragment, dot segment, other notation of an address, default port, blank or backslash in it; and no `*`,
 * which other servers take for a wildcard. Null for anything else.
 */
export function readRedirectUri(text: string): RedirectUri | null {
  if (text.length > MAX_LENGTH || /[#*]/.test(text) || !URL.canParse(text)) return null;
  const { href, protocol, hostname, username, password } = new URL(text);
  if ((href !== text && href !== `${text}/`) || username !== '' || password !== '') return null;
  if (protocol === 'https:') return { host: hostname, isLoopback: false };
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname) ? { host: hostname, isLoopback: true } : null;
}

/** True when both are `http` to the same loopback host and differ in the port at most (RFC 8252 §7.3). */
export function isSameLoopback(left: string, right: string): boolean {
  const plain = withoutPort(left);
  return plain !== null && plain === withoutPort(right);
}

function withoutPort(uri: string): string | null {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? null : `http://${host}${rest ?? ''}`;
}

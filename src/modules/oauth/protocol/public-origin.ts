import type { Request } from 'express';

/**
 * Makes a request look as if it had come to the base URL, whatever its Host, X-Forwarded-* and target say. The library
 * takes the public address of its endpoints from the request, and so would publish what a stranger sent
 * (docs/decisions/oauth.md#public-origin).
 */
export function pinnedTo(baseUrl: string): (request: Request) => void {
  const { host, protocol, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  return (request) => {
    request.url = relativeTarget(request.url);
    request.originalUrl = prefix + request.url;
    request.headers.host = host;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-port'];
    delete request.headers.forwarded;
  };
}

/** A target in absolute form (RFC 9112 §3.2.2) names a host of its own. */
function relativeTarget(target: string): string {
  if (target.startsWith('/')) return target;
  // The library has nothing there.
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname + search;
}

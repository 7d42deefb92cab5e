import type { Request } from 'express';

/**
 * Rewrites a request as if it had been sent to the base URL, whatever its Host, X-Forwarded-* and target say. The
 * library takes the public address of its endpoints from the request, so a stranger could otherwise make it publish
 * another address (docs/decisions/oauth.md#public-origin).
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

/** The path and query of a target. A target in absolute form (RFC 9112 §3.2.2) names a host, which is dropped. */
function relativeTarget(target: string): string {
  if (target.startsWith('/')) return target;
  // The library has no endpoint at this path.
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname + search;
}

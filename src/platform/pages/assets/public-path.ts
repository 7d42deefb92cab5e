/**
 * Where a browser finds a path of ours. The base URL may have a path of its own, which the gateway in front takes off:
 * inside, every route is without it.
 * @param path begins with `/`.
 */
export function publicPath(baseUrl: string, path: string): string {
  return `${new URL(baseUrl).pathname.replace(/\/$/, '')}${path}`;
}

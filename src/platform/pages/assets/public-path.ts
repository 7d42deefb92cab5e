/**
 * The path by which a browser reaches a path of this service. The base URL may have a path of its own, which the
 * gateway in front removes, so that no route of the program has it.
 * @param path begins with `/`.
 */
export function publicPath(baseUrl: string, path: string): string {
  return `${new URL(baseUrl).pathname.replace(/\/$/, '')}${path}`;
}

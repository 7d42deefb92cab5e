/**
 * The `Link` header of a page that has a next one: the public URL of the same list with the cursor replaced.
 * @param target path and query of this request, as it arrived.
 */
export function nextLink(baseUrl: string, target: string, cursor: string): string {
  const start = target.indexOf('?');
  const path = start === -1 ? target : target.slice(0, start);
  const query = new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
  query.set('cursor', cursor);
  return `<${baseUrl}${path}?${query.toString()}>; rel="next"`;
}

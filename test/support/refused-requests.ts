import type { DocumentedRoute, MarketDocument } from './e2e/document.js';
import { pathOf } from './e2e/document.js';

/** A request that the interface does not allow, or that leads nowhere. */
export interface RefusedRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * Requests of each operation that a service refuses before anything is looked up, and each read of something that is not
 * there. @param keys one of each scope.
 */
export function refusedRequests(document: MarketDocument, keys: Record<string, string>): RefusedRequest[] {
  return document.routes.flatMap((route) => refusedOf(document, route, keys));
}

function refusedOf(document: MarketDocument, route: DocumentedRoute, keys: Record<string, string>): RefusedRequest[] {
  const { method, operationId, scope } = route;
  const path = pathOf(route);
  const { requestBody } = document.json.paths[route.path][method.toLowerCase()];
  const [mediaType] = Object.keys(requestBody?.content ?? {});
  const credential = { 'X-Api-Key': keys[scope] ?? keys.read ?? '' };
  const write = { ...credential, 'Idempotency-Key': `refused-${operationId}` };
  const one = (name: string, headers: Record<string, string>, body?: string, own = path): RefusedRequest => ({
    name: `${operationId} ${name}`,
    method,
    path: own,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const other = Object.keys(keys).find((name) => name !== scope) ?? '';
  const unknown = `${path}${path.includes('?') ? '&' : '?'}nonsense=1`;
  const all = [one('without a credential', {}), one('with an unknown parameter', write, undefined, unknown)];
  if (scope in keys) all.push(one('of another scope', { ...write, 'X-Api-Key': keys[other] ?? '' }));
  if (method === 'GET') return [...all, ...(path.includes('_missing') ? [one('of nothing', credential)] : [])];
  if (mediaType !== 'application/json') return all;
  all.push(one('without a key', { ...credential, ...JSON_TYPE }, '{}'));
  all.push(one('that is no JSON', { ...write, ...JSON_TYPE }, '{'));
  all.push(one('with an unknown member', { ...write, ...JSON_TYPE }, '{"nonsense":1}'));
  all.push(one('with a list as its body', { ...write, ...JSON_TYPE }, '[]'));
  all.push(one('of another media type', { ...write, 'Content-Type': 'text/plain' }, '{}'));
  for (const [name, value] of wrongMembers(document, requestBody.content[mediaType].schema)) {
    all.push(one(`with ${name} of a wrong type`, { ...write, ...JSON_TYPE }, JSON.stringify({ [name]: value })));
  }
  return all;
}

function wrongMembers(document: MarketDocument, schema: any): [string, unknown][] {
  const { properties = {} } = schema.$ref ? document.json.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  const [first] = Object.entries<any>(properties);
  return first === undefined ? [] : [[first[0], first[1].type === 'string' ? 7 : 'seven']];
}

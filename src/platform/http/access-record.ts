import type { RequestOutcome } from './request-context.middleware.js';

/** One access line: who called what, how it went. It holds no path, query or header that the caller chose. */
export interface AccessLine {
  method: string;
  /** `/v1/tasks/{task_id}`; `unmatched` when no route took the request. */
  route: string;
  status: number;
  ms: number;
  requestId: string;
  version: string;
  principal: string | undefined;
  credential: string | undefined;
  limit: string | undefined;
  idempotency: string | undefined;
  error: string | undefined;
  [member: string]: string | number | undefined;
}

const templates = new Map<string, string>();

/** The access line of a request that is over. */
export function accessLine({ request, status, durationMs }: RequestOutcome): AccessLine {
  const { context } = request;
  return {
    method: request.method,
    route: routeOf(request.route),
    status,
    ms: durationMs,
    requestId: context.requestId,
    version: context.version,
    principal: context.principal?.accountId,
    credential: context.principal?.credentialId,
    limit: context.limitOutcome,
    idempotency: context.idempotencyOutcome,
    error: context.errorCode,
  };
}

/** Express keeps the route that matched on the request. */
function routeOf(route: unknown): string {
  if (typeof route !== 'object' || route === null || !('path' in route) || typeof route.path !== 'string') {
    return 'unmatched';
  }
  return routeTemplate(route.path);
}

/** A route as the OpenAPI document writes it: `:task_id` becomes `{task_id}`. */
export function routeTemplate(path: string): string {
  const known = templates.get(path);
  if (known !== undefined) return known;
  const template = path.replace(/:([A-Za-z_]+)/g, '{$1}');
  templates.set(path, template);
  return template;
}

import type { Express, RequestHandler } from 'express';
import { ApiError } from '../api-error.js';

/** A layer of the Express router, as far as routes need it. */
interface RouteLayer {
  match(path: string): unknown;
  route?: { methods: Record<string, boolean> };
}

/**
 * Answers what no route took: 404 for an unknown path; for a known one the methods it has, as 204 to OPTIONS and as 405
 * to anything else. Comes before authentication, and looks at the method of the request line alone.
 */
export function answerUnknownRoute(app: Express): RequestHandler {
  return (req, res, next) => {
    const methods = methodsOf(app, req.path);
    if (methods.length === 0) {
      next(new ApiError('unknown_route', 'There is no such path.', 'The paths are listed at /openapi.json.'));
      return;
    }
    const allow = methods.join(', ');
    if (req.method === 'OPTIONS') {
      res.setHeader('Allow', allow);
      res.status(204).end();
      return;
    }
    next(
      new ApiError('method_not_allowed', 'The path does not have this method.', `It has ${allow}.`, { Allow: allow }),
    );
  };
}

/** Every method that a path has, sorted; HEAD comes with GET, and OPTIONS with any. */
export function methodsOf(app: Express, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of routeLayers(app)) {
    if (!layer.route || !layer.match(path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return [...methods].sort();
}

function routeLayers(app: Express): RouteLayer[] {
  const stack: unknown[] = app.router.stack;
  return stack.filter(
    (layer): layer is RouteLayer => typeof layer === 'object' && layer !== null && 'match' in layer && 'route' in layer,
  );
}

import type { Request } from 'express';

/** True for a browser: it names `text/html` before JSON. A program that takes anything gets JSON. */
export function prefersHtml(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../platform/http/api-error.js';

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe']);
const AHEAD = /\b(?:prefetch|prerender)\b/i;

/**
 * Refuses pages that a browser prefetches and pages inside a frame, by the Fetch Metadata headers. For browsers that do
 * not send them, `frame-ancestors` forbids frames.
 */
@Injectable()
export class TopLevelGuard implements CanActivate {
  /** @throws ApiError `invalid_request`. */
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const purpose = String(headers['sec-purpose'] ?? headers['purpose'] ?? '');
    if (AHEAD.test(purpose)) {
      throw new ApiError('invalid_request', 'This page is not loaded ahead.', 'Open the link when you want to see it.');
    }
    if (FRAMES.has(String(headers['sec-fetch-dest'] ?? ''))) {
      throw new ApiError('invalid_request', 'This page is not shown inside another page.', 'Open the link by itself.');
    }
    return true;
  }
}

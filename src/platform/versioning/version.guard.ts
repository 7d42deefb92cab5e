import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import type { ContextRequest } from '../http/principal.js';
import { isPublished, PUBLISHED_VERSIONS } from './api-versions.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The first guard: which version the caller names, before who the caller is (design/interface.md §4). */
@Injectable()
export class VersionGuard implements CanActivate {
  /** @throws ApiError `invalid_version` or `unsupported_version`. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const named = request.headers['service-version'];
    if (named === undefined) return true;
    if (typeof named !== 'string' || !DATE.test(named)) {
      throw new ApiError('invalid_version', 'The Service-Version header is not one date.', suggestion());
    }
    if (!isPublished(named)) {
      throw new ApiError('unsupported_version', 'The Service-Version is not published.', suggestion());
    }
    request.context.version = named;
    request.context.versionNamed = true;
    return true;
  }
}

function suggestion(): string {
  return `Published: ${PUBLISHED_VERSIONS.join(', ')}.`;
}

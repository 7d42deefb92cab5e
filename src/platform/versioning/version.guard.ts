import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import type { ContextRequest } from '../http/principal.js';
import { PUBLISHED_VERSIONS, versionServing } from './api-versions.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The first guard: reads which version the caller names, before anybody knows who the caller is. */
@Injectable()
export class VersionGuard implements CanActivate {
  /** @throws ApiError `invalid_version` or `unsupported_version`. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ContextRequest>();
    const named = request.headers['service-version'];
    if (named === undefined) return true;
    if (typeof named !== 'string' || !isDate(named)) {
      throw new ApiError('invalid_version', 'The Service-Version header is not one date.', suggestion());
    }
    const version = versionServing(named);
    if (version === null) {
      throw new ApiError(
        'unsupported_version',
        'The Service-Version is before the first published version, or after the newest.',
        suggestion(),
      );
    }
    // From here on the request is one of that version, and so is its idempotency key, whichever date named the version.
    request.context.version = version;
    request.context.versionNamed = true;
    return true;
  }
}

/** True for a day that there is: the 31st of September is none. */
function isDate(text: string): boolean {
  const day = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function suggestion(): string {
  return `Published: ${PUBLISHED_VERSIONS.join(', ')}. A date between two is served with the older one.`;
}

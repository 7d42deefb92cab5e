import { isPassingFault } from '../../../platform/http/server/translate-error.js';
import { errors } from './oidc-provider.js';

const UNAVAILABLE = 503;

/** A part that the service needs is away: 503 with an error that OAuth knows, instead of a `server_error`. */
export class OAuthUnavailable extends errors.OIDCProviderError {
  constructor(cause: unknown) {
    super(UNAVAILABLE, 'temporarily_unavailable', { cause });
    this.name = 'OAuthUnavailable';
    this.expose = true;
    this.error_description = 'the service cannot reach a part it needs; retry the same request';
    // Connection errors name hosts.
    delete this.error_detail;
  }
}

/** Runs a statement; a fault that passes becomes one that the library answers as such. */
export async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isPassingFault(error) ? new OAuthUnavailable(error) : error;
  }
}

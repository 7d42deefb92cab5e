import { isPassingFault } from '../../../platform/http/server/translate-error.js';
import { errors } from './oidc-provider.js';

const UNAVAILABLE = 503;

/** The service cannot reach a part it needs: answered 503 with `temporarily_unavailable` instead of `server_error`. */
export class OAuthUnavailable extends errors.OIDCProviderError {
  /** @param reason what the service cannot do now, in OAuth's words. */
  constructor(cause: unknown, reason = 'the service cannot reach a part it needs') {
    super(UNAVAILABLE, 'temporarily_unavailable', { cause });
    this.name = 'OAuthUnavailable';
    this.expose = true;
    this.error_description = `${reason}; retry the same request`;
    // The detail is left out, because connection errors name hosts.
    delete this.error_detail;
  }
}

/** Runs a statement. Turns a temporary fault into OAuthUnavailable, which the library answers with 503. */
export async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isPassingFault(error) ? new OAuthUnavailable(error) : error;
  }
}

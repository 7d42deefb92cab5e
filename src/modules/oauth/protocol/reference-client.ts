import type { ClientMetadata } from 'oidc-provider';
import type { Environment } from '../../../platform/config/environment.js';

/** Id of the service's own application: the API reference page, on which requests can be tried out. */
export const REFERENCE_CLIENT_ID = 'tasktree-reference';

/** Path at which the page `/docs` receives its authorization code. */
export const REFERENCE_REDIRECT_PATH = '/docs/oauth2-redirect.html';

/**
 * The application behind "Authorize" at `/docs`: a public client with PKCE and one redirect to that page. It is not
 * stored, so it cannot be registered or removed; people revoke its access like that of any other application.
 */
export function referenceClient({ baseUrl, displayName }: Environment): ClientMetadata {
  return {
    client_id: REFERENCE_CLIENT_ID,
    client_name: `${displayName} API reference`,
    redirect_uris: [`${baseUrl}${REFERENCE_REDIRECT_PATH}`],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

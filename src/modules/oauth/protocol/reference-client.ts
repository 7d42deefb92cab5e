import type { ClientMetadata } from 'oidc-provider';
import type { Environment } from '../../../platform/config/environment.js';

/** Id of the one application that is the service's own: the page that shows the interface, where it can be tried out. */
export const REFERENCE_CLIENT_ID = 'tasktree-reference';

/** Where the page at `/docs` gets its authorization code. */
export const REFERENCE_REDIRECT_PATH = '/docs/oauth2-redirect.html';

/**
 * The application behind "Authorize" at `/docs`: public, with PKCE, and with the one redirect to that page. It is no
 * record, so nobody registers it and it cannot be removed; people take back what they gave it as with any other.
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

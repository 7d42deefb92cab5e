import { ApiError } from '../../../platform/http/api-error.js';
import { type ClientKeySet, readClientKeys } from './client-keys.js';
import { readableName } from './client-name.js';
import { applicationTypeOf, redirectFault } from './redirect-policy.js';

/**
 * Authentication methods for applications at the token endpoint; none of them needs the secret stored in clear text.
 */
export const CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** An application as the operator registers it. */
export interface NewClient {
  /** 1 to 80 visible characters; people see it when they are asked for their consent. */
  name: string;
  /** 1 to 10; may be empty for a gateway that only asks about tokens. */
  redirectUris: readonly string[];
  authMethod: ClientAuthMethod;
  /** JSON Web Key Set of the public keys; required for `private_key_jwt`, and only allowed there. */
  jwks?: unknown;
  /** True: the application may introspect all tokens (RFC 7662). Not allowed with `none`. */
  isGateway?: boolean;
  /**
   * True: the application must follow the FAPI 2.0 Security Profile: pushed requests, `private_key_jwt` and bound
   * tokens.
   */
  isFapi2?: boolean;
}

/**
 * The metadata of a new application, in the form that the library reads from the table. @throws ApiError
 * `invalid_parameter`.
 */
export function metadataOf(clientId: string, input: NewClient): Record<string, unknown> {
  const { authMethod, isGateway = false, isFapi2 = false } = input;
  const name = readableName(input.name);
  if (name === null) throw refused('The name of an application has 1 to 80 visible characters.');
  if (isGateway && authMethod === 'none') throw refused('A gateway must have a secret or a key.');
  if (isFapi2 && authMethod !== 'private_key_jwt') throw refused('The FAPI 2.0 profile asks for private_key_jwt.');
  const redirects = redirectsOf(input.redirectUris, isGateway);
  const jwks = keysOf(input);
  return {
    client_id: clientId,
    client_name: name,
    ...redirects,
    token_endpoint_auth_method: authMethod,
    ...(jwks && { jwks }),
    ...(isFapi2 && {
      security_profile: 'fapi2',
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
    }),
    ...(isGateway && { gateway: true }),
    registered_by: 'operator',
  };
}

/**
 * Redirects and grant types. An application without redirects (a gateway) cannot ask for consent, so it gets no tokens.
 */
function redirectsOf(uris: readonly string[], isGateway: boolean): Record<string, unknown> {
  if (uris.length === 0 && isGateway) return { redirect_uris: [], grant_types: [], response_types: [] };
  const fault = redirectFault(uris);
  if (fault !== null) throw refused(`${fault}.`);
  return {
    redirect_uris: [...uris],
    application_type: applicationTypeOf(uris),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function keysOf({ authMethod, jwks }: NewClient): ClientKeySet | null {
  if ((authMethod === 'private_key_jwt') !== (jwks !== undefined)) {
    throw refused('Public keys belong to private_key_jwt, and to nothing else.');
  }
  if (jwks === undefined) return null;
  const keys = readClientKeys(jwks);
  if (keys === null) throw refused('The keys must be a JSON Web Key Set of 1 to 10 public keys (EC, OKP or RSA).');
  return keys;
}

function refused(reason: string): ApiError {
  return new ApiError('invalid_parameter', reason);
}

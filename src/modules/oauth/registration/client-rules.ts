import { Injectable } from '@nestjs/common';
import type { ClientMetadata, Provider } from 'oidc-provider';
import { Environment } from '../../../platform/config/environment.js';
import { errors } from '../protocol/oidc-provider.js';
import { readableName } from './client-name.js';
import { ClientSecrets } from './client-secrets.js';
import { CLIENT_AUTH_METHODS } from './new-client.js';
import { applicationTypeOf, RedirectPolicy } from './redirect-policy.js';
import { isUserContentHost } from './user-content-hosts.js';

/** Members of a client's metadata that only this service sets; the last two only the operator's command. */
export const OWN_CLIENT_METADATA = ['registered_by', 'gateway', 'security_profile'] as const;

/** Members of an application's metadata that are stored. Logos, policies and the like are dropped and never fetched. */
const KEPT: ReadonlySet<string> = new Set([
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'client_name',
  'redirect_uris',
  'grant_types',
  'response_types',
  'scope',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'jwks',
  'jwks_uri',
  'dpop_bound_access_tokens',
  'require_pushed_authorization_requests',
  'registered_by',
]);

const AUTH_METHODS: ReadonlySet<unknown> = new Set(CLIENT_AUTH_METHODS);

type ProviderClient = InstanceType<Provider['Client']>;

/** Replaces the stored hash of a client's secret, unless another hash is stored by then. */
export type KeepHash = (clientId: string, stored: string, renewed: string) => Promise<void>;

/** Rules for the metadata of applications, whatever their source (docs/decisions/oauth.md#registration). */
@Injectable()
export class ClientRules {
  constructor(
    private readonly redirects: RedirectPolicy,
    private readonly secrets: ClientSecrets,
    private readonly environment: Environment,
  ) {}

  /**
   * Validator for `extraClientMetadata.validator`. The library calls it once for each of `OWN_CLIENT_METADATA`, with
   * unchecked metadata. With a context, an application is registering itself; with a URL as id, the metadata is its
   * document; otherwise it comes from this service's table. @throws InvalidClientMetadata.
   */
  readonly validate = (context: object | undefined, key: string, _value: unknown, metadata: ClientMetadata): void => {
    if (key !== OWN_CLIENT_METADATA[0]) return;
    if (context !== undefined) return this.admit(metadata, null);
    const host = documentHost(metadata.client_id);
    if (host === null) return;
    if (!this.takesDocumentsOf(host)) {
      throw new errors.InvalidClientMetadata('anybody can publish a document at this host: register instead');
    }
    this.admit(metadata, host);
  };

  /**
   * True when metadata documents of this host are accepted: false for a host at which anybody can publish, unless the
   * operator lists it.
   */
  takesDocumentsOf(host: string): boolean {
    return this.environment.oauthKnownClientHosts.includes(host) || !isUserContentHost(host);
  }

  /**
   * Replaces two methods of the library's clients: the check of a redirect URI, and the check of a secret.
   * @param keep called when a correct secret was hashed under an older key.
   */
  install(Client: Provider['Client'], keep: KeepHash): void {
    const { redirects, secrets } = this;
    Client.prototype.redirectUriAllowed = function (this: ProviderClient, uri: string) {
      return redirects.allows(this, uri);
    };
    Client.prototype.compareClientSecret = async function (this: ProviderClient, sent: string) {
      const { clientId, clientSecret: stored = '' } = this;
      const renewed = secrets.renewed(clientId, sent, stored);
      if (renewed !== null) await keep(clientId, stored, renewed);
      return renewed !== null || secrets.matches(clientId, sent, stored);
    };
  }

  private admit(metadata: ClientMetadata, host: string | null): void {
    if (OWN_CLIENT_METADATA.some((member) => metadata[member] !== undefined)) {
      throw new errors.InvalidClientMetadata('some of the metadata can be set by the operator only');
    }
    for (const member of Object.keys(metadata)) if (!KEPT.has(member)) delete metadata[member];
    if (host === null) metadata.registered_by = 'self';
    this.admitName(metadata);
    this.admitRedirects(metadata, host);
    admitAuthentication(metadata, host);
  }

  private admitName(metadata: ClientMetadata): void {
    const given: unknown = metadata.client_name;
    if (given === undefined) return;
    const name = typeof given === 'string' ? readableName(given) : null;
    if (name === null) throw new errors.InvalidClientMetadata('client_name must have 1 to 80 visible characters');
    metadata.client_name = name;
  }

  private admitRedirects(metadata: ClientMetadata, host: string | null): void {
    const { redirect_uris: uris } = metadata;
    const fault = this.redirects.fault(uris, host);
    if (fault !== null) throw new errors.InvalidClientMetadata(fault);
    metadata.application_type = applicationTypeOf(uris ?? []);
  }
}

/** Host of the metadata document when an application's id is an https URL; null for every other id. */
export function documentHost(clientId: unknown): string | null {
  if (typeof clientId !== 'string' || !/^https:\/\//i.test(clientId) || !URL.canParse(clientId)) return null;
  return new URL(clientId).hostname;
}

/** Checks the authentication method and its keys. A `jwks_uri` is accepted only on the document's own host. */
function admitAuthentication(metadata: ClientMetadata, host: string | null): void {
  const { token_endpoint_auth_method: method = 'none', jwks, jwks_uri: jwksUri } = metadata;
  if (!AUTH_METHODS.has(method)) {
    throw new errors.InvalidClientMetadata('token_endpoint_auth_method is not one of those that are supported here');
  }
  if (jwksUri !== undefined && (host === null || documentHost(jwksUri) !== host)) {
    throw new errors.InvalidClientMetadata('jwks_uri is not fetched; send the keys as jwks');
  }
  if (method === 'private_key_jwt' && jwks === undefined && jwksUri === undefined) {
    throw new errors.InvalidClientMetadata('private_key_jwt needs the public keys as jwks');
  }
  // The library has made a secret for a client that names no method; a public client must not have one.
  if (method === 'none') {
    delete metadata.client_secret;
    delete metadata.client_secret_expires_at;
  }
}

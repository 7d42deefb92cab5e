import { randomBytes } from 'node:crypto';
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** What an application must provide to embed the MCP client: storage, and a way to open a browser. */
export class McpProvider implements OAuthClientProvider {
  readonly redirects: URL[] = [];
  client: StoredOAuthClientInformation | undefined;
  stored: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovery: OAuthDiscoveryState | undefined;
  private lastState = '';

  constructor(
    readonly redirectUrl: string,
    /** Where the application publishes its metadata, if it does. */
    readonly clientMetadataUrl?: string,
  ) {}

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'MCP client',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** The newest address at which the person must decide. */
  get authorizationUrl(): URL {
    const last = this.redirects.at(-1);
    if (!last) throw new Error('The client has not asked for an authorization');
    return last;
  }

  state(): string {
    this.lastState = randomBytes(16).toString('base64url');
    return this.lastState;
  }

  /** The parameters of the callback. Fails unless its state is the one that was sent. */
  accepted(arrived: URL): { authorizationCode: string; iss: string | undefined } {
    const { searchParams } = arrived;
    if (searchParams.get('state') !== this.lastState) throw new Error('The state is not the one that was sent');
    return { authorizationCode: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? undefined };
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.stored;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.stored = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.redirects.push(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.client = undefined;
    if (scope === 'all' || scope === 'tokens') this.stored = undefined;
  }
}

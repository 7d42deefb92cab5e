import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address to which an application is redirected: a loopback page that records its visits. */
export class ClientCallback {
  readonly arrived: URL[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(path = '/callback'): Promise<ClientCallback> {
    const arrived: URL[] = [];
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`);
      if (url.pathname === path) arrived.push(url);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(
        '<!doctype html><html lang="en"><title>Client</title><link rel="icon" href="data:,"><h1>You may close this page</h1>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const callback = new ClientCallback(server, `http://127.0.0.1:${port}${path}`);
    Object.defineProperty(callback, 'arrived', { value: arrived });
    return callback;
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  /** The newest address that a browser arrived at. */
  get last(): URL {
    const last = this.arrived.at(-1);
    if (!last) throw new Error('Nobody has arrived at the client');
    return last;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** One authorization request, for specs that must set every parameter themselves. */
export interface Authorization {
  url: URL;
  verifier: string;
  state: string;
}

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/**
 * A public client by plain HTTP: it registers itself, makes authorization URLs, redeems and refreshes. It checks
 * nothing: the strict clients do, and attacks need one that does as it is told.
 */
export class PlainClient {
  private constructor(
    readonly baseUrl: string,
    readonly clientId: string,
    readonly redirectUri: string,
    /** The answer to the registration. */
    readonly metadata: any,
  ) {}

  static async register(baseUrl: string, redirectUri: string, own: object = {}): Promise<PlainClient> {
    const answer = await fetch(`${baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Plain client',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...own,
      }),
    });
    const metadata: any = await answer.json();
    if (answer.status !== 201) throw new Error(`Not registered: ${answer.status} ${JSON.stringify(metadata)}`);
    return new PlainClient(baseUrl, metadata.client_id, redirectUri, metadata);
  }

  /** The authorization URL. A parameter that is null is left out. */
  authorization(scope: string, own: Readonly<Record<string, string | null>> = {}): Authorization {
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(16).toString('base64url');
    const url = new URL(`${this.baseUrl}/oauth/authorize`);
    const parameters = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope,
      state,
      resource: this.baseUrl,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...own,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
    return { url, verifier, state };
  }

  redeem(redirect: URL, { verifier }: Authorization, own: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> {
    return this.post('/oauth/token', {
      grant_type: 'authorization_code',
      code: redirect.searchParams.get('code') ?? '',
      redirect_uri: this.redirectUri,
      code_verifier: verifier,
      resource: this.baseUrl,
      ...own,
    });
  }

  refresh(refreshToken: string, own: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> {
    return this.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...own });
  }

  revoke(token: string): Promise<TokenAnswer> {
    return this.post('/oauth/revoke', { token });
  }

  /** Posts a form to an endpoint of the authorization server, as this client. */
  async post(path: string, members: Readonly<Record<string, string>>): Promise<TokenAnswer> {
    const secret = this.metadata.client_secret;
    const body = new URLSearchParams({
      client_id: this.clientId,
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...members,
    });
    const answer = await fetch(`${this.baseUrl}${path}`, { method: 'POST', body });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
}

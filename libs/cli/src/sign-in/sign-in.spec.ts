import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MarketUnreachable } from '../../../sdk/src/index.js';
import { ProfileFile } from '../profile/profile-file.js';
import { freshAccessToken } from './access-token.js';
import { authorizationServerOf, wellKnown } from './authorization-server.js';
import { signInByBrowser } from './loopback-sign-in.js';
import { differences } from './pinned-deployment.js';

const MARKET = 'https://market.example/base';
const NOW = 1_800_000_000_000;
const RESOURCE = { resource: MARKET, authorization_servers: [MARKET] };
const SERVER = {
  issuer: MARKET,
  authorization_endpoint: `${MARKET}/oauth/authorize`,
  token_endpoint: `${MARKET}/oauth/token`,
  registration_endpoint: `${MARKET}/oauth/register`,
};
const TOKENS = { access_token: 'new', refresh_token: 'next', expires_in: 600 };

interface Authority {
  resource?: object;
  server?: object;
  /** Status and answer of the token endpoint. */
  token?: readonly [number, object];
}

/** The documents of a market, and what its token endpoint was sent. */
function authority({ resource = RESOURCE, server = SERVER, token = [200, TOKENS] }: Authority = {}) {
  const forms: URLSearchParams[] = [];
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    if (url === 'https://market.example/.well-known/oauth-protected-resource/base') return Response.json(resource);
    if (url === 'https://market.example/.well-known/oauth-authorization-server/base') return Response.json(server);
    if (url !== SERVER.token_endpoint) return new Response('', { status: 404 });
    forms.push(new URLSearchParams(init.body as string));
    return Response.json(token[1], { status: token[0] });
  };
  return { fetch, forms };
}

describe('the authorization server', () => {
  it('is found from the address of the market, also below a path', async () => {
    expect(await authorizationServerOf(authority().fetch, MARKET)).toMatchObject(SERVER);
    expect(wellKnown('https://market.example', 'x')).toBe('https://market.example/.well-known/x');
  });

  it.each<[string, Authority]>([
    ['tokens of another resource', { resource: { ...RESOURCE, resource: 'https://other.example' } }],
    ['nobody', { resource: {} }],
    ['another issuer', { server: { ...SERVER, issuer: 'https://other.example' } }],
    ['tokens sent elsewhere', { server: { ...SERVER, token_endpoint: 'https://other.example/token' } }],
    ['a person sent elsewhere', { server: { ...SERVER, authorization_endpoint: 'https://other.example/authorize' } }],
    ['no registration', { server: { ...SERVER, registration_endpoint: undefined } }],
  ])('that names %s is refused', async (_what, hostile) => {
    await expect(authorizationServerOf(authority(hostile).fetch, MARKET)).rejects.toThrow('cannot sign in');
  });
});

describe('signing in', () => {
  /** Signs in with a person who sends the browser back with these parameters. */
  async function signIn(answer: Record<string, string>, own: Authority = {}) {
    const { fetch, forms } = authority(own);
    let shown = new URL(MARKET);
    const statuses: number[] = [];
    const back = async (parameters: Record<string, string>): Promise<void> => {
      const url = new URL(shown.searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      statuses.push((await globalThis.fetch(url)).status);
    };
    const tokens = signInByBrowser({
      fetch,
      now: () => NOW,
      signal: new AbortController().signal,
      server: SERVER,
      clientId: 'client',
      resource: MARKET,
      scopes: ['read', 'buyer'],
      show: (url) => {
        shown = new URL(url);
        const state = shown.searchParams.get('state') ?? '';
        void back({ code: 'forged', state: 'another' }).then(() => back({ state, ...answer }));
      },
    });
    return { tokens: await tokens.catch((error: unknown) => error), shown, forms, statuses };
  }

  it('redeems the code of the answer that has its state, with the verifier of its challenge', async () => {
    const { tokens, shown, forms, statuses } = await signIn({ code: 'good', iss: MARKET });
    expect(tokens).toEqual({ access: 'new', refresh: 'next', expiresAt: NOW + 600_000 });
    expect(statuses[0]).toBe(404);
    const [form] = forms;
    expect(Object.fromEntries(form!)).toMatchObject({ code: 'good', client_id: 'client', resource: MARKET });
    const challenge = createHash('sha256')
      .update(form!.get('code_verifier') ?? '')
      .digest('base64url');
    expect(shown.searchParams.get('code_challenge')).toBe(challenge);
    expect(shown.searchParams.get('scope')).toBe('read buyer');
  });

  it('that was stopped before it began ends at once', async () => {
    const { fetch } = authority();
    const stopped = signInByBrowser({
      fetch,
      now: () => NOW,
      signal: AbortSignal.abort(new Error('Stopped.')),
      server: SERVER,
      clientId: 'client',
      resource: MARKET,
      scopes: [],
      show: () => undefined,
    });
    await expect(stopped).rejects.toThrow('Stopped.');
  }, 2_000);

  it('redeems no code of another server', async () => {
    const { tokens, forms } = await signIn({ code: 'good', iss: 'https://other.example' });
    expect([tokens, forms]).toEqual([expect.objectContaining({ message: 'Nothing was allowed.' }), []]);
  });

  it('that the person declines ends as declined', async () => {
    const { tokens } = await signIn({ error: 'access_denied' });
    expect(tokens).toMatchObject({ fault: { exit: 8, code: 'access_denied' } });
  });

  it('that the server refuses says why', async () => {
    const token = [400, { error: 'invalid_grant', error_description: 'The code is used.' }] as const;
    const { tokens } = await signIn({ code: 'used' }, { token });
    expect(tokens).toMatchObject({ fault: { exit: 3, code: 'invalid_grant', why: 'The code is used.' } });
  });
});

describe('the access token', () => {
  let folder: string;
  let file: ProfileFile;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tasktree-token-'));
    file = new ProfileFile(folder, 'default');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const keep = (expiresAt: number, refresh?: string) =>
    file.write({ url: MARKET, clientId: 'client', tokens: { access: 'old', refresh, expiresAt } });
  const fresh = (own: Authority = {}) => {
    const { fetch, forms } = authority(own);
    const host = { fetch, now: () => NOW, signal: new AbortController().signal };
    return { token: (): Promise<string> => freshAccessToken(file, host), forms };
  };

  it('is used until shortly before its end', async () => {
    keep(NOW + 60_000, 'first');
    const { token, forms } = fresh();
    expect([await token(), forms]).toEqual(['old', []]);
  });

  it('is renewed once, however many ask', async () => {
    keep(NOW + 1_000, 'first');
    const { token, forms } = fresh();
    expect(await Promise.all([token(), token(), token()])).toEqual(['new', 'new', 'new']);
    expect(forms.map((form) => form.get('refresh_token'))).toEqual(['first']);
    expect(file.read()?.tokens).toEqual({ access: 'new', refresh: 'next', expiresAt: NOW + 600_000 });
  });

  it('that cannot be renewed asks for a new sign-in', async () => {
    keep(NOW, undefined);
    await expect(fresh().token()).rejects.toThrow('The access has ended');
    keep(NOW, 'revoked');
    await expect(fresh({ token: [400, { error: 'invalid_grant' }] }).token()).rejects.toThrow('The access has ended');
  });

  it('that cannot be renewed because the program is not known any more asks for a new sign-in', async () => {
    keep(NOW, 'first');
    await expect(fresh({ token: [401, { error: 'invalid_client' }] }).token()).rejects.toThrow('The access has ended');
  });

  it('is kept when the server is only away, which is no fault of the credential', async () => {
    keep(NOW, 'first');
    await expect(fresh({ token: [503, {}] }).token()).rejects.toMatchObject({
      message: expect.stringContaining('(503)'),
      fault: { exit: 1 },
    });
    expect(file.read()?.tokens?.refresh).toBe('first');
  });

  it('is renewed by one request where the sign-in has kept the address, which is sent once more without an answer', async () => {
    file.write({
      url: MARKET,
      clientId: 'client',
      tokenEndpoint: SERVER.token_endpoint,
      tokens: { access: 'old', refresh: 'first', expiresAt: NOW },
    });
    const asked: string[] = [];
    const { fetch } = authority();
    const renew = (failures: number) => {
      const flaky: typeof fetch = (url, init) => {
        asked.push(url);
        return asked.length <= failures ? Promise.reject(new TypeError('fetch failed')) : fetch(url, init);
      };
      return freshAccessToken(file, { fetch: flaky, now: () => NOW, signal: new AbortController().signal });
    };
    await expect(renew(2)).rejects.toThrow(MarketUnreachable);
    asked.length = 0;
    expect(await renew(1)).toBe('new');
    expect(asked).toEqual([SERVER.token_endpoint, SERVER.token_endpoint]);
  });
});

it('a deployment differs in what it is, and not in how it is written', () => {
  const one = {
    chainId: 1,
    factory: '0xAb',
    implementation: '0x1',
    usdc: '0x2',
    usdcName: 'USD Coin',
    usdcVersion: '2',
    maxActionSeconds: 900,
    signingOrigin: 'https://market.example',
  } as const;
  expect(differences(one, { ...one, factory: '0xaB' })).toEqual([]);
  expect(differences(one, { ...one, chainId: 2 })).toEqual(['chain id is 2, pinned is 1']);
});

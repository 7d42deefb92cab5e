import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../../test/support/cli-run.js';
import type { Fetch } from '../../../sdk/src/index.js';
import { ProfileFile } from '../profile/profile-file.js';

const MARKET = 'https://market.example';
const KEY = `mkt_test_r_${'0'.repeat(36)}`;
const SERVER = {
  issuer: MARKET,
  authorization_endpoint: `${MARKET}/oauth/authorize`,
  token_endpoint: `${MARKET}/oauth/token`,
  registration_endpoint: `${MARKET}/oauth/register`,
  revocation_endpoint: `${MARKET}/oauth/revoke`,
};
const CONFIGURATION = {
  chain_id: 8453,
  escrow_factory_address: `0x${'c'.repeat(40)}`,
  escrow_implementation_address: `0x${'d'.repeat(40)}`,
  usdc_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  usdc_domain: { name: 'USD Coin', version: '2' },
  max_action_seconds: 900,
  signing_origin: MARKET,
};
const ME = { account: { id: 'acct_1' }, wallets: [], credential: { scopes: ['read'] } };

const real = fetch;
let folder: string;
let file: ProfileFile;
let asked: string[];
/** Ids of programs that the market knows. */
let known: string[];

const market: Fetch = async (url, init) => {
  asked.push(url.slice(MARKET.length));
  const form = new URLSearchParams(typeof init?.body === 'string' ? init.body : '');
  switch (new URL(url).pathname) {
    case '/.well-known/oauth-protected-resource':
      return Response.json({ resource: MARKET, authorization_servers: [MARKET] });
    case '/.well-known/oauth-authorization-server':
      return Response.json(SERVER);
    case '/.well-known/tasktree-configuration':
      return Response.json(CONFIGURATION);
    case '/oauth/register':
      known.push('registered');
      return Response.json({ client_id: 'registered' }, { status: 201 });
    case '/oauth/revoke':
      if (known.includes(form.get('client_id') ?? '')) return new Response('');
      return Response.json({ error: 'invalid_client' }, { status: 401 });
    case '/oauth/token':
      return Response.json({ access_token: 'access', refresh_token: 'refresh', expires_in: 600 });
    default:
      return Response.json(ME);
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-account-'));
  file = new ProfileFile(join(folder, 'tasktree'), 'default');
  [asked, known] = [[], []];
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Logs in with a person who allows it. */
async function login(argv: string[] = [], env: Record<string, string> = {}, stdin = '') {
  let clientId: string | null = null;
  const allow = (text: string) => {
    const url = /Sign in here: (http[^"\s]+)/.exec(text)?.[1];
    if (url === undefined || clientId !== null) return;
    const { searchParams } = new URL(url);
    clientId = searchParams.get('client_id');
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: 'good', state: searchParams.get('state') ?? '' }).toString();
    void real(back);
  };
  const answer = await runCli(['login', MARKET, ...argv], {
    fetch: market,
    env: { XDG_CONFIG_HOME: folder, ...env },
    stdin,
    warned: allow,
  });
  return { ...answer, clientId };
}

describe('login', () => {
  it('registers the program once, and again when the market has forgotten it', async () => {
    expect(await login()).toMatchObject({ exit: 0, clientId: 'registered' });
    expect(await login()).toMatchObject({ exit: 0, clientId: 'registered' });
    expect(asked.filter((path) => path === '/oauth/register')).toHaveLength(1);
    known = [];
    expect(await login()).toMatchObject({ exit: 0, clientId: 'registered' });
    expect(asked.filter((path) => path === '/oauth/register')).toHaveLength(2);
    expect(file.read()).toMatchObject({ clientId: 'registered', tokenEndpoint: SERVER.token_endpoint });
  }, 20_000);

  it('where nobody can be asked says what it has pinned', async () => {
    const { exit, err } = await login(['--with-key'], {}, `${KEY}\n`);
    expect(exit).toBe(0);
    expect(JSON.parse(err).warning).toMatch(/says that it is:\nchain id +8453\n/);
  });

  it.each([
    ['the address of another market', { TASKTREE_URL: 'https://other.example' }, 'TASKTREE_URL'],
    ['a token', { TASKTREE_TOKEN: 'secret' }, 'TASKTREE_TOKEN'],
    ['a key', { TASKTREE_READ_KEY: 'secret' }, 'TASKTREE_*_KEY'],
  ])('sends nothing while the environment has %s', async (_what, env, name) => {
    const { exit, err } = await login([], env);
    expect([exit, asked]).toEqual([2, []]);
    expect(JSON.parse(err).error.what).toContain(name);
    expect(err).not.toContain('secret');
  });
});

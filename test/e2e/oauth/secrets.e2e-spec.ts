import { createHash } from 'node:crypto';
import * as openid from 'openid-client';
import { connect, type Connection, tokensOf } from '../../support/oauth/connected-client.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { type Person, shown } from '../../support/oauth/person.js';
import { Secrets } from './secret-search.js';
import { marketFolder } from '../../support/e2e/market-fixture.js';
import { localMarket } from '../../support/market.js';
import { randomWallet } from '../../support/random-wallet.js';

const KEY = /mkt_test_[rbwo]_[0-9A-Za-z]{36}/g;
const REDIRECT = 'http://127.0.0.1/callback';

/**
 * The secrets of a whole run in which secrets are made, shown, used, misused and ended, with the most detailed logging.
 */
const secrets = new Secrets();
let service: OAuthService;
let log: string;
/** Values that the search must find, as text and as bytes, to prove that it searches at all. */
let control: Secrets;

const addTokens = (tokens: Connection['tokens']): void => {
  secrets.add('access token', tokens.access_token);
  if (tokens.refresh_token) secrets.add('refresh token', tokens.refresh_token);
};

const addPerson = (person: Person): void => {
  for (const signature of person.signatures) secrets.add('signature', signature);
  // An interaction's cookie is named in its address and is no secret; the signature beside it proves the browser.
  const cookies = person.jar.all.filter(([name]) => !/tasktree_(interaction|resume)$/.test(name));
  for (const [name, value] of cookies) secrets.add(`cookie ${name}`, value);
};

async function publicClient(person: Person): Promise<void> {
  const { client, redirect, tokens } = await connect(service, person, { scope: 'openid read buyer offline_access' });
  secrets.add('code', redirect.searchParams.get('code'));
  addTokens(tokens);
  const renewed = tokensOf(await client.refresh(tokens.refresh_token));
  addTokens(renewed);
  const { access_token: token } = renewed;
  expect((await service.call('/v1/tasks', `Bearer ${token}`)).status).toBe(200);
  // Sends the token in places where it does not belong.
  await service.call(`/v1/tasks?access_token=${token}`, `Bearer ${token}`);
  await service.call('/v1/tasks', `Basic ${token}`);
  await service.call('/v1/tasks', `DPoP ${token}`, { headers: { DPoP: token } });
  await service.call('/v1/tasks', `Bearer ${token}`, { headers: { 'X-Api-Key': token } });
  await service.call('/v1/tasks', `Bearer ${token}`, { headers: { Cookie: `tasktree_session=${token}` } });
  await fetch(`${service.baseUrl}/oauth/token?code=${token}&client_secret=${token}`, { method: 'POST' });
  await fetch(`${service.baseUrl}/oauth/token?refresh_token=${tokens.refresh_token}`);
  await fetch(`${service.baseUrl}/nowhere/${token}`);
  await fetch(`${service.baseUrl}/v1/tasks/${token}`, { headers: { Authorization: `Bearer ${token}` } });
  // Reuses an old refresh token and a code, and uses a token as another client.
  const other = await PlainClient.register(service.baseUrl, REDIRECT);
  await other.refresh(renewed.refresh_token);
  await other.revoke(renewed.refresh_token);
  await client.post('/oauth/introspect', { token });
  const code = redirect.searchParams.get('code')!;
  await client.post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: REDIRECT });
  await client.revoke(renewed.refresh_token);
}

async function confidentialClients(person: Person): Promise<void> {
  for (const method of ['client_secret_basic', 'client_secret_post']) {
    const client = await PlainClient.register(service.baseUrl, REDIRECT, { token_endpoint_auth_method: method });
    const { client_id: clientId, client_secret: secret } = client.metadata;
    secrets.add(`client secret (${method})`, secret);
    const config = await openid.discovery(
      new URL(service.baseUrl),
      clientId,
      undefined,
      method === 'client_secret_post' ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret),
      { execute: [openid.allowInsecureRequests] },
    );
    const verifier = openid.randomPKCECodeVerifier();
    secrets.add('code verifier', verifier);
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT,
      scope: 'openid read offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    secrets.add('request_uri', url.searchParams.get('request_uri')!.split(':').at(-1));
    const redirect = await person.authorize(url);
    secrets.add('code', redirect.searchParams.get('code'));
    const tokens = await openid.authorizationCodeGrant(config, redirect, { pkceCodeVerifier: verifier });
    addTokens(tokens as Connection['tokens']);
    secrets.add('id_token', tokens.id_token);
    // A secret that is wrong here may be right somewhere else, so it must not be logged either.
    const wrong = `${secret.slice(0, -4)}AAAA`;
    secrets.add('wrong client secret', wrong);
    await client.post('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token!,
      client_secret: wrong,
    });
  }
}

async function boundTokens(person: Person): Promise<void> {
  const { metadata } = await PlainClient.register(service.baseUrl, REDIRECT);
  const config = await openid.discovery(new URL(service.baseUrl), metadata.client_id, undefined, openid.None(), {
    execute: [openid.allowInsecureRequests],
  });
  const handle = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
  const verifier = openid.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri: REDIRECT,
    scope: 'read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  const redirect = await person.authorize(openid.buildAuthorizationUrl(config, parameters));
  const options = { DPoP: handle };
  const checks = { pkceCodeVerifier: verifier };
  const tokens = await openid.authorizationCodeGrant(config, redirect, checks, undefined, options);
  addTokens(tokens as Connection['tokens']);
  config[openid.customFetch] = (url, init) => {
    secrets.add('DPoP proof', new Headers(init.headers).get('DPoP'));
    return fetch(url, init as RequestInit);
  };
  const url = new URL(`${service.baseUrl}/v1/tasks`);
  await openid.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, undefined, options);
}

/**
 * Leaves things unfinished: a code that nobody redeemed, tokens that still work, and a person who has not decided yet.
 */
async function whatIsUnfinished(person: Person): Promise<void> {
  const { client, tokens } = await connect(service, person);
  addTokens(tokens);
  control.add('hash of an access token', createHash('sha256').update(tokens.access_token).digest('base64url'));
  const redirect = await person.authorize(client.authorization('read').url);
  secrets.add('code that is still good', redirect.searchParams.get('code'));
  const waiting = client.authorization('read');
  await person.consentPage(waiting.url);
  const stranger = service.person();
  await stranger.challenge(shown(await stranger.open(waiting.url)));
  addPerson(stranger);
}

async function keysAndWallets(): Promise<void> {
  const person = service.person();
  await person.signInToAccount();
  const page = shown(await person.open('/account/keys'));
  const confirm = shown(await person.submit(page, page.form('/account/keys'), { name: 'Of the run', days: '1' }));
  const made = shown(await person.answer(confirm, await person.sign(confirm.message)));
  const keys = made.html.match(KEY) ?? [];
  expect(keys).toHaveLength(4);
  const again = shown(await person.open('/account/keys'));
  const replaced = shown(await person.submit(again, again.form('/roll'), { overlap_hours: '1' }));
  for (const key of [...keys, ...(replaced.html.match(KEY) ?? [])]) {
    secrets.add('API key', key);
    await fetch(`${service.baseUrl}/v1/tasks?api_key=${key}`, { headers: { 'X-Api-Key': key } });
    await service.call('/v1/tasks', `Bearer ${key}`);
  }
  const broken = `${keys[0]!.slice(0, -1)}${keys[0]!.endsWith('0') ? '1' : '0'}`;
  secrets.add('broken API key', broken);
  await fetch(`${service.baseUrl}/v1/tasks`, { headers: { 'X-Api-Key': broken } });
  // Submits a wrong signature, and the same signature twice.
  const other = service.person(randomWallet());
  const asked = await other.challenge(shown(await other.open('/account/sign-in')));
  await other.answer(asked, await person.sign(asked.message));
  const signature = await other.sign(asked.message);
  await other.answer(asked, signature);
  await other.answer(asked, signature);
  addPerson(person);
  addPerson(other);
  control.add('wallet', person.wallet.address);
}

beforeAll(async () => {
  control = new Secrets();
  service = await OAuthService.start({ variables: { LOG_LEVEL: 'trace' } });
  const person = service.person();
  await publicClient(person);
  await confidentialClients(person);
  await boundTokens(person);
  await whatIsUnfinished(person);
  addPerson(person);
  control.add('wallet', person.wallet.address);
  await keysAndWallets();
  await service.stop();
  ({ log } = service);
});

afterAll(() => service?.stop());

it('the run has used secrets of every kind, and the search finds what is there', async () => {
  expect(secrets.count).toBeGreaterThan(40);
  const found = await control.inDatabase(localMarket().database_url);
  expect(new Set(found.map(({ secret }) => secret)).size).toBe(control.count);
  expect(log.match(/"requestId"/g)!.length).toBeGreaterThan(50);
  for (const route of ['authorize', 'token', 'register', 'revoke', 'par']) {
    expect(log).toContain(`"route":"/oauth/${route}"`);
  }
});

it('none is in the database, in any column of any table, as text or as bytes', async () => {
  expect(await secrets.inDatabase(localMarket().database_url)).toEqual([]);
});

it('none is in the log of the service, at its most talkative', () => {
  expect(secrets.in(log, 'the log of the service')).toEqual([]);
});

it('none is in the logs of Postgres, of the chain, or of the market beside it', () => {
  expect(secrets.inLogs(marketFolder())).toEqual([]);
});

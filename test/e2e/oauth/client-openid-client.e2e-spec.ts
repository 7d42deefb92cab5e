import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, BROWSER_NOTE, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { ClientCallback } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { MarketFixture, type Person as MarketPerson } from '../../support/e2e/market-fixture.js';

let fixture: MarketFixture;
let service: OAuthService;
let callback: ClientCallback;
let browser: Browser | undefined;
let buyer: MarketPerson;

beforeAll(async () => {
  [fixture, service, callback] = await Promise.all([
    MarketFixture.open(),
    OAuthService.start(),
    ClientCallback.listen(),
  ]);
  buyer = await fixture.person('Petra');
});

afterAll(async () => {
  await browser?.close();
  await callback?.close();
  await service?.stop();
  await fixture?.close();
});

interface Registration {
  metadata: Partial<openid.ClientMetadata>;
  authentication: (registered: openid.ClientMetadata) => openid.ClientAuth;
}

const PUBLIC: Registration = {
  metadata: { token_endpoint_auth_method: 'none' },
  authentication: () => openid.None(),
};
const BASIC: Registration = {
  metadata: { token_endpoint_auth_method: 'client_secret_basic' },
  authentication: ({ client_secret }) => openid.ClientSecretBasic(client_secret),
};
const POST: Registration = {
  metadata: { token_endpoint_auth_method: 'client_secret_post' },
  authentication: ({ client_secret }) => openid.ClientSecretPost(client_secret),
};

async function privateKeyJwt(): Promise<Registration> {
  const { privateKey, publicKey } = await openid.randomDPoPKeyPair('ES256', { extractable: true });
  const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };
  const { kty, crv, x, y, kid, alg, use } = jwk;
  return {
    metadata: {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [{ kty, crv, x, y, kid, alg, use }] },
    } as Partial<openid.ClientMetadata>,
    authentication: () => openid.PrivateKeyJwt({ key: privateKey, kid: 'key-1' }),
  };
}

/** Registers an application, with the package's strictest checks of the service's answers. */
async function register({ metadata, authentication }: Registration): Promise<openid.Configuration> {
  const server = new URL(service.baseUrl);
  const wanted = {
    client_name: 'openid-client',
    redirect_uris: [callback.url],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...metadata,
  };
  const insecure = { execute: [openid.allowInsecureRequests] };
  const registration = await openid.dynamicClientRegistration(server, wanted, openid.None(), insecure);
  const registered = registration.clientMetadata();
  const strict = { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks] };
  return openid.discovery(server, registered.client_id, registered, authentication(registered), strict);
}

interface Request {
  verifier: string;
  state: string;
  nonce: string;
  parameters: Record<string, string>;
}

async function request(scope: string): Promise<Request> {
  const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()];
  return {
    verifier,
    state,
    nonce,
    parameters: {
      redirect_uri: callback.url,
      scope,
      state,
      resource: service.baseUrl,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(scope.split(' ').includes('openid') ? { nonce } : {}),
    },
  };
}

function redeem(
  config: openid.Configuration,
  arrived: URL,
  { verifier, state, nonce, parameters }: Request,
  options: openid.DPoPOptions = {},
) {
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(parameters.nonce === undefined ? {} : { expectedNonce: nonce, idTokenExpected: true }),
  };
  return openid.authorizationCodeGrant(config, arrived, checks, { resource: service.baseUrl }, options);
}

const plainly = (url: URL): Promise<URL> => service.person(buyer.participant.wallet).authorize(url);
const tasksUrl = (): URL => new URL(`${service.baseUrl}/v1/tasks`);
const refused = (error: string) => expect.objectContaining({ error });

describe('openid-client, unmodified and strict', () => {
  it.each([
    ['a public client', async () => PUBLIC],
    ['client_secret_basic', async () => BASIC],
    ['client_secret_post', async () => POST],
    ['private_key_jwt', privateKeyJwt],
  ])('%s: tokens, id_token whose signature is checked, call, refresh, revocation', async (_name, kind) => {
    const config = await register(await kind());
    const asked = await request('openid read offline_access');
    const arrived = await plainly(openid.buildAuthorizationUrl(config, asked.parameters));
    const tokens = await redeem(config, arrived, asked);
    expect(tokens.claims()).toMatchObject({ iss: service.baseUrl, sub: buyer.participant.account.id });
    expect(decodeProtectedHeader(tokens.id_token!)).toMatchObject({ alg: 'ES256', kid: expect.any(String) });

    const answer = await openid.fetchProtectedResource(config, tokens.access_token, tasksUrl(), 'GET');
    expect(answer.status).toBe(200);
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token!);
    expect(renewed.access_token).not.toBe(tokens.access_token);
    await openid.tokenRevocation(config, renewed.refresh_token ?? tokens.refresh_token!);
    const late = openid.fetchProtectedResource(config, renewed.access_token, tasksUrl(), 'GET');
    await expect(late).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
    await expect(openid.refreshTokenGrant(config, renewed.refresh_token ?? tokens.refresh_token!)).rejects.toEqual(
      refused('invalid_grant'),
    );
  });

  it('an id_token says nothing but who, to whom and when', async () => {
    const config = await register(PUBLIC);
    const asked = await request('openid read');
    const tokens = await redeem(config, await plainly(openid.buildAuthorizationUrl(config, asked.parameters)), asked);
    const claims = decodeJwt(tokens.id_token!);
    const known = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'at_hash', 'auth_time', 'azp'];
    expect(Object.keys(claims).filter((name) => !known.includes(name))).toEqual([]);
    expect(claims.exp! - claims.iat!).toBeLessThanOrEqual(300);
    // An id token is not accepted as an access token.
    expect((await service.call('/v1/tasks', `Bearer ${tokens.id_token}`)).status).toBe(401);
  });

  it('without openid there is no id_token', async () => {
    const config = await register(PUBLIC);
    const asked = await request('read');
    const arrived = await plainly(openid.buildAuthorizationUrl(config, asked.parameters));
    expect((await redeem(config, arrived, asked)).id_token).toBeUndefined();
  });

  it('a request_uri of a pushed request works once', async () => {
    const config = await register(BASIC);
    const asked = await request('read');
    const url = await openid.buildAuthorizationUrlWithPAR(config, asked.parameters);
    expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
    await redeem(config, await plainly(url), asked);
    const { page } = await service.person(buyer.participant.wallet).open(url);
    expect([page?.status, page?.has('/consent')]).toEqual([400, false]);
  });

  it('a bound token needs its key: no Bearer, no other key, no proof twice, no proof for another address', async () => {
    const config = await register(PUBLIC);
    const handle = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    const asked = await request('read');
    const arrived = await plainly(openid.buildAuthorizationUrl(config, asked.parameters));
    const { access_token: token, token_type: type } = await redeem(config, arrived, asked, { DPoP: handle });
    expect(type).toBe('dpop');

    // openid-client makes the proofs; each is recorded, to be replayed later.
    const seen: { url: string; proof: string }[] = [];
    config[openid.customFetch] = async (url, init) => {
      seen.push({ url, proof: new Headers(init.headers).get('DPoP') ?? '' });
      return fetch(url, init as RequestInit);
    };
    const options = { DPoP: handle };
    const ok = await openid.fetchProtectedResource(config, token, tasksUrl(), 'GET', null, undefined, options);
    expect(ok.status).toBe(200);
    const { proof } = seen.at(-1)!;
    expect(decodeJwt(proof)).toMatchObject({ htm: 'GET', htu: tasksUrl().href });

    const status = async (path: string, authorization: string, headers: Record<string, string>): Promise<unknown> => {
      const answer = await service.call(path, authorization, { headers });
      return [answer.status, answer.headers.get('WWW-Authenticate')];
    };
    const challenged = [401, expect.stringMatching(/DPoP .*error="invalid_(token|dpop_proof)"/)];
    expect(await status('/v1/tasks', `Bearer ${token}`, {})).toEqual([401, expect.stringContaining('invalid_token')]);
    expect(await status('/v1/tasks', `DPoP ${token}`, {})).toEqual(challenged);
    expect(await status('/v1/tasks', `DPoP ${token}`, { DPoP: proof })).toEqual(challenged);
    expect(await status('/v1/quotes', `DPoP ${token}`, { DPoP: proof })).toEqual(challenged);
    const stranger = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    const stolen = { DPoP: stranger };
    await expect(
      openid.fetchProtectedResource(config, token, tasksUrl(), 'GET', null, undefined, stolen),
    ).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
  });

  it('a bound refresh token is refused with another key', async () => {
    const config = await register(PUBLIC);
    const handle = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    const asked = await request('read offline_access');
    const arrived = await plainly(openid.buildAuthorizationUrl(config, asked.parameters));
    const { refresh_token: token } = await redeem(config, arrived, asked, { DPoP: handle });
    const stranger = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    await expect(openid.refreshTokenGrant(config, token!, {}, { DPoP: stranger })).rejects.toMatchObject({
      error: expect.stringMatching(/^invalid_(grant|dpop_proof)$/),
    });
    const renewed = await openid.refreshTokenGrant(config, token!, {}, { DPoP: handle });
    expect(renewed.token_type).toBe('dpop');
  });
});

describeWithBrowser(`openid-client with a person at a browser${BROWSER_NOTE}`, () => {
  it('PAR and DPoP: sign-in, consent, tokens, calls, refresh, revocation, refusal', async () => {
    browser = await launchBrowser();
    const mayVisit = [callback.origin];
    const person = await BrowserPerson.open(browser, service.baseUrl, buyer.participant.wallet, { mayVisit });
    const config = await register(await privateKeyJwt());
    const options = { DPoP: openid.getDPoPHandle(config, await openid.randomDPoPKeyPair()) };
    const asked = await request('openid read buyer offline_access');
    const url = await openid.buildAuthorizationUrlWithPAR(config, asked.parameters, options);
    const tokens = await redeem(config, await person.authorize(url), asked, options);
    expect(person.window.wrongs).toEqual([]);
    expect(tokens.claims()!.sub).toBe(buyer.participant.account.id);

    const call = (token: string): Promise<Response> =>
      openid.fetchProtectedResource(config, token, tasksUrl(), 'GET', null, undefined, options);
    expect((await call(tokens.access_token)).status).toBe(200);
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token!, {}, options);
    expect((await call(renewed.access_token)).status).toBe(200);
    await openid.tokenRevocation(config, renewed.refresh_token ?? tokens.refresh_token!);
    await expect(call(renewed.access_token)).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
  });
});

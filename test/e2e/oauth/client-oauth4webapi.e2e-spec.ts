import * as oauth from 'oauth4webapi';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, BROWSER_NOTE, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { ClientCallback } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { MarketFixture, type Person as MarketPerson } from '../../support/e2e/market-fixture.js';

/** The service under test is on loopback without TLS. All other checks of the client stay on. */
const INSECURE = { [oauth.allowInsecureRequests]: true };

let fixture: MarketFixture;
let service: OAuthService;
let callback: ClientCallback;
let browser: Browser | undefined;
let buyer: MarketPerson;
let taskId: string;

beforeAll(async () => {
  [fixture, service, callback] = await Promise.all([
    MarketFixture.open(),
    OAuthService.start(),
    ClientCallback.listen(),
  ]);
  buyer = await fixture.person('Olga');
  taskId = (await fixture.draft(buyer)).id;
});

afterAll(async () => {
  await browser?.close();
  await callback?.close();
  await service?.stop();
  await fixture?.close();
});

interface Tokens {
  as: oauth.AuthorizationServer;
  client: oauth.Client;
  accessToken: string;
  refreshToken: string;
  code: URLSearchParams;
  verifier: string;
}

/** Gets tokens, starting from nothing but the API's address. `authorize` does what the person does. */
async function connect(authorize: (url: URL) => Promise<URL>, scope = 'read offline_access'): Promise<Tokens> {
  // A person gives the application only the address of the API.
  const resource = new URL(service.baseUrl);
  const protectedResource = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, INSECURE),
  );
  const issuer = new URL(protectedResource.authorization_servers![0]!);
  const discovered = await oauth.discoveryRequest(issuer, { ...INSECURE, algorithm: 'oauth2' });
  const as = await oauth.processDiscoveryResponse(issuer, discovered);
  const registration = await oauth.dynamicClientRegistrationRequest(
    as,
    {
      client_name: 'oauth4webapi',
      redirect_uris: [callback.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    INSECURE,
  );
  const client: oauth.Client = await oauth.processDynamicClientRegistrationResponse(registration);

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint!);
  for (const [name, value] of Object.entries({
    client_id: client.client_id,
    redirect_uri: callback.url,
    response_type: 'code',
    scope,
    state,
    resource: protectedResource.resource,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })) {
    url.searchParams.set(name, value);
  }
  const code = oauth.validateAuthResponse(as, client, await authorize(url), state);
  const answer = await redeem(as, client, code, verifier, protectedResource.resource);
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer);
  return { as, client, accessToken: tokens.access_token, refreshToken: tokens.refresh_token!, code, verifier };
}

function redeem(
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  code: URLSearchParams,
  verifier: string,
  resource: string,
): Promise<Response> {
  return oauth.authorizationCodeGrantRequest(as, client, oauth.None(), code, callback.url, verifier, {
    ...INSECURE,
    additionalParameters: { resource },
  });
}

async function tasks(accessToken: string): Promise<any> {
  const url = new URL(`${service.baseUrl}/v1/tasks`);
  const answer = await oauth.protectedResourceRequest(accessToken, 'GET', url, undefined, undefined, INSECURE);
  return answer.json();
}

/** Expects a draft, which only the buyer can see. */
function expectTasksOfBuyer(page: any): void {
  expect(page.data.map((task: any) => task.id)).toContain(taskId);
}

const refused = (error: string) => expect.objectContaining({ error });

/** Does what the person does, without a browser. */
const plainly = (url: URL): Promise<URL> => service.person(buyer.participant.wallet).authorize(url);

describe('oauth4webapi, unmodified and strict', () => {
  it('discovers everything it needs, and that what it needs is there', async () => {
    const issuer = new URL(service.baseUrl);
    const metadata = { oauth2: '/.well-known/oauth-authorization-server', oidc: '/.well-known/openid-configuration' };
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const answer = await oauth.discoveryRequest(issuer, { ...INSECURE, algorithm });
      expect(new URL(answer.url).pathname).toBe(metadata[algorithm]);
      const as = await oauth.processDiscoveryResponse(issuer, answer);
      expect(as).toMatchObject({
        issuer: service.baseUrl,
        authorization_endpoint: `${service.baseUrl}/oauth/authorize`,
        token_endpoint: `${service.baseUrl}/oauth/token`,
        revocation_endpoint: `${service.baseUrl}/oauth/revoke`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
        grant_types_supported: ['authorization_code', 'refresh_token'],
        response_types_supported: ['code'],
      });
    }
  });

  it('refresh, reuse of the old refresh token within the leeway, revocation, and refusals after it', async () => {
    const { as, client, accessToken, refreshToken } = await connect(plainly);
    expectTasksOfBuyer(await tasks(accessToken));

    const renewed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, INSECURE),
    );
    expect(renewed.refresh_token).not.toBe(refreshToken);
    expect(renewed.expires_in).toBeLessThanOrEqual(3600);
    expectTasksOfBuyer(await tasks(renewed.access_token));

    const last = renewed.refresh_token!;
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), last, INSECURE));
    await expect(tasks(renewed.access_token)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
    const late = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), last, INSECURE);
    await expect(oauth.processRefreshTokenResponse(as, client, late)).rejects.toEqual(refused('invalid_grant'));
  });

  it('an access token that is revoked stops at once; the challenge says which error it is', async () => {
    const { as, client, accessToken } = await connect(plainly);
    const revocation = await oauth.revocationRequest(as, client, oauth.None(), accessToken, INSECURE);
    await oauth.processRevocationResponse(revocation);
    const error: any = await tasks(accessToken).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    expect(error.cause[0]).toMatchObject({
      scheme: 'bearer',
      parameters: {
        error: 'invalid_token',
        resource_metadata: `${service.baseUrl}/.well-known/oauth-protected-resource`,
      },
    });
  });

  it('a code that is redeemed a second time is refused, and what it gave is taken back', async () => {
    const { as, client, code, verifier, accessToken } = await connect(plainly);
    const again = await redeem(as, client, code, verifier, service.baseUrl);
    await expect(oauth.processAuthorizationCodeResponse(as, client, again)).rejects.toEqual(refused('invalid_grant'));
    await expect(tasks(accessToken)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
  });

  it('a person who cancels: the client is told, with state and issuer', async () => {
    const person = service.person(buyer.participant.wallet);
    const cancelled = connect(async (url) => {
      const { redirect } = await person.cancel(await person.consentPage(url));
      return redirect!;
    });
    // validateAuthResponse checks state and iss before it throws this.
    await expect(cancelled).rejects.toEqual(refused('access_denied'));
    await expect(cancelled).rejects.toThrow(oauth.AuthorizationResponseError);
  });
});

describeWithBrowser(`oauth4webapi with a person at a browser${BROWSER_NOTE}`, () => {
  it('discovery, registration, sign-in, consent, tokens, call, refresh, revocation, refusal', async () => {
    browser = await launchBrowser();
    const mayVisit = [callback.origin];
    const person = await BrowserPerson.open(browser, service.baseUrl, buyer.participant.wallet, { mayVisit });
    const { as, client, accessToken, refreshToken } = await connect((url) => person.authorize(url));
    expect(person.window.wrongs).toEqual([]);
    expectTasksOfBuyer(await tasks(accessToken));

    const answer = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, INSECURE);
    const renewed = await oauth.processRefreshTokenResponse(as, client, answer);
    expectTasksOfBuyer(await tasks(renewed.access_token));
    await oauth.revocationRequest(as, client, oauth.None(), renewed.refresh_token!, INSECURE);
    await expect(tasks(renewed.access_token)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
  });
});

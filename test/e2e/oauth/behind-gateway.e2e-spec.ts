import * as oauth from 'oauth4webapi';
import type { Browser } from 'playwright-core';
import { freePort } from '../../support/loopback-port.js';
import { describeWithBrowser, BROWSER_NOTE, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import {
  Gateway,
  GATEWAY_HOST,
  type GatewayKind,
  GATEWAY_PREFIX,
  gatewayProgram,
  gatewayUrl,
  HOSTILE_HEADERS,
} from '../../support/oauth/gateway.js';
import { ClientCallback } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { Person, redirected } from '../../support/oauth/person.js';
import { sampleRequest } from '../../support/e2e/sample-requests.js';
import { MarketFixture, type Person as MarketPerson } from '../../support/e2e/market-fixture.js';

const KINDS: readonly GatewayKind[] = ['nginx', 'haproxy'];

let fixture: MarketFixture;
let callback: ClientCallback;
let buyer: MarketPerson;

beforeAll(async () => {
  [fixture, callback] = await Promise.all([MarketFixture.open(), ClientCallback.listen()]);
  buyer = await fixture.person('Gwen');
});

afterAll(async () => {
  await callback?.close();
  await fixture?.close();
});

/** Every public path that does not depend on a person; its answer must not depend on the request's headers. */
const PUBLIC_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/v1',
  '/.well-known/oauth-protected-resource/mcp',
  '/openapi.json',
  '/skill.md',
  '/mcp/server-card',
  '/.well-known/api-catalog',
];

/** Names that an attacker puts into headers, which no answer may contain. */
const EVIL = /evil|:81\b|http:\/\/gateway/i;

async function answerOf(answer: Response): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)));
  return { status: answer.status, headers, text: await answer.text() };
}

describe.each(KINDS)('behind %s, under a path', (kind) => {
  const isThere = gatewayProgram(kind) !== null;
  const describeWithGateway = isThere ? describe : describe.skip;
  const note = isThere ? '' : ` [not run: ${kind} is not installed]`;
  let service: OAuthService;
  let honest: Gateway;
  let hostile: Gateway;
  let baseUrl: string;

  beforeAll(async () => {
    if (!isThere) return;
    const [own, other] = [await freePort(), await freePort()];
    baseUrl = gatewayUrl(own);
    const variables = { TRUSTED_PROXIES: '127.0.0.1/32' };
    service = await OAuthService.start({ baseUrl: () => baseUrl, variables });
    const upstream = Number(new URL(service.url).port);
    honest = await Gateway.start(kind, { own, upstream }, false);
    hostile = await Gateway.start(kind, { own: other, upstream }, true);
  });

  afterAll(async () => {
    await honest?.stop();
    await hostile?.stop();
    await service?.stop();
  });

  /** The same request through both gateways; the second gateway's headers lie about where it was sent. */
  const both = async (path: string, init: RequestInit = {}): Promise<Awaited<ReturnType<typeof answerOf>>[]> => [
    await answerOf(await honest.fetch(`${honest.baseUrl}${path}`, init)),
    await answerOf(await hostile.fetch(`${hostile.baseUrl}${path}`, init)),
  ];

  describeWithGateway(`public URLs${note}`, () => {
    it.each(PUBLIC_PATHS)('%s is the same whatever the headers say', async (path) => {
      const [straight, lied] = await both(path);
      expect(straight!.status).toBe(200);
      expect(lied).toEqual(straight);
      expect(JSON.stringify(lied)).not.toMatch(EVIL);
      for (const [url] of lied!.text.matchAll(/https?:\/\/(?:gateway|127\.0\.0\.1)[^"\s]*/g)) {
        expect(url.startsWith(baseUrl)).toBe(true);
      }
    });

    it.each(PUBLIC_PATHS)('%s is the same to a client that adds the headers itself', async (path) => {
      const { Host: _host, ...headers } = HOSTILE_HEADERS;
      const plain = await answerOf(await honest.fetch(`${baseUrl}${path}`));
      expect(await answerOf(await honest.fetch(`${baseUrl}${path}`, { headers }))).toEqual(plain);
      // Straight to the service, as a caller inside the network could.
      const inside = await fetch(`${service.url}${path}`, { headers });
      expect((await answerOf(inside)).text).toBe(plain.text);
    });

    it('the metadata of an issuer with a path is found beside the path (RFC 8414 §3.1, RFC 9728 §3.1)', async () => {
      const { origin } = new URL(baseUrl);
      for (const name of ['oauth-authorization-server', 'oauth-protected-resource']) {
        const beside = await honest.fetch(`${origin}/.well-known/${name}${GATEWAY_PREFIX}`);
        const below = await honest.fetch(`${baseUrl}/.well-known/${name}`);
        expect([name, beside.status, await beside.text()]).toEqual([name, 200, await below.text()]);
      }
    });

    it('a refusal names the metadata under BASE_URL', async () => {
      const [straight, lied] = await both('/v1/tasks');
      const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`;
      expect([straight!.status, straight!.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining(metadata),
      ]);
      expect(withoutCounts(lied!)).toEqual(withoutCounts(straight!));
    });

    it('links of a list and the address for signing are under BASE_URL', async () => {
      await fixture.draft(buyer);
      await fixture.draft(buyer);
      const { body } = sampleRequest('prepareTaskCreation')!;
      const prepared = await hostile.fetch(`${hostile.baseUrl}/v1/task-creation-intents`, {
        method: 'POST',
        headers: {
          'X-Api-Key': buyer.keys.buyer,
          'Content-Type': 'application/json',
          'Idempotency-Key': crypto.randomUUID(),
        },
        body: String(body),
      });
      const action: any = await prepared.json();
      expect([prepared.status, String(action.signing_url).startsWith(`${baseUrl}/`)]).toEqual([200, true]);
      const list = await hostile.fetch(`${hostile.baseUrl}/v1/tasks?limit=1`, {
        headers: { 'X-Api-Key': buyer.keys.read },
      });
      expect(list.headers.get('Link')).toContain(`<${baseUrl}/v1/tasks?`);
      expect(JSON.stringify([action, ...list.headers])).not.toMatch(EVIL);
    });

    it('a stream of events is passed on as it comes, event by event', async () => {
      const answer = await honest.fetch(`${baseUrl}/v1/events/stream?types=task.created`, {
        headers: { 'X-Api-Key': buyer.keys.read },
      });
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const hears = async (part: string): Promise<void> => {
        while (!text.includes(part)) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`The stream has ended without ${part}: ${text}`);
          text += value;
        }
      };
      await hears('retry: ');
      for (let count = 0; count < 2; count += 1) await hears(`"id":"${(await fixture.draft(buyer)).id}"`);
      await reader.cancel();
    });

    it('redirects, forms, assets and cookies of the pages are under BASE_URL, and the cookies secure', async () => {
      const answers: unknown[] = [];
      for (const [gateway, url] of [
        [honest, honest.baseUrl],
        [hostile, hostile.baseUrl],
      ] as const) {
        const opened = await gateway.fetch(`${url}/account`, { redirect: 'manual' });
        const location = new URL(opened.headers.get('Location') ?? '', baseUrl);
        expect([opened.status, location.href]).toEqual([303, `${baseUrl}/account/sign-in`]);
        const page = await gateway.fetch(`${url}/account/sign-in`);
        const html = await page.text();
        const paths = [...html.matchAll(/(?:href|src|action)="([^"#]*)"/g)].map(([, path = '']) => path);
        const own = paths
          .filter((path) => !path.startsWith('data:'))
          .map((path) => new URL(path, `${baseUrl}/account/sign-in`).href);
        expect(own.length).toBeGreaterThan(2);
        expect(own.filter((path) => !path.startsWith(`${baseUrl}/`))).toEqual([]);
        for (const path of own.filter((one) => one.includes('/assets/'))) {
          expect([path, (await honest.fetch(path)).status]).toEqual([path, 200]);
        }
        const cookies = page.headers.getSetCookie();
        expect(cookies.length).toBeGreaterThan(0);
        for (const cookie of cookies) {
          expect(cookie).toMatch(new RegExp(`^__Secure-[^;]+;.*Path=${GATEWAY_PREFIX}(;|/|$)`, 'i'));
          expect(cookie).toMatch(/; *Secure/i);
          expect(cookie).toMatch(/; *HttpOnly/i);
          expect(cookie).not.toMatch(/Domain=/i);
        }
        answers.push(paths.map((path) => path.replace(/[0-9A-Za-z_-]{20,}/g, '…')));
        expect(html).not.toMatch(EVIL);
      }
      expect(answers[1]).toEqual(answers[0]);
    });
  });

  describeWithGateway(`the whole flow${note}`, () => {
    /** A strict OAuth client over TLS, with none of its checks relaxed. */
    const connect = async (authorize: (url: URL) => Promise<URL>): Promise<Response> => {
      const own = { [oauth.customFetch]: honest.fetch as any };
      const resource = new URL(baseUrl);
      const answer = await oauth.resourceDiscoveryRequest(resource, own);
      const metadata = await oauth.processResourceDiscoveryResponse(resource, answer);
      const issuer = new URL(metadata.authorization_servers![0]!);
      const found = await oauth.discoveryRequest(issuer, { ...own, algorithm: 'oauth2' });
      const as = await oauth.processDiscoveryResponse(issuer, found);
      const wanted = { client_name: 'Behind', redirect_uris: [callback.url], token_endpoint_auth_method: 'none' };
      const registration = await oauth.dynamicClientRegistrationRequest(as, wanted, own);
      const client: oauth.Client = await oauth.processDynamicClientRegistrationResponse(registration);
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
      const url = new URL(as.authorization_endpoint!);
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: callback.url,
        response_type: 'code',
        scope: 'read',
        state,
        resource: metadata.resource,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      const code = oauth.validateAuthResponse(as, client, await authorize(url), state);
      const options = { ...own, additionalParameters: { resource: metadata.resource }, DPoP: undefined };
      const redeemed = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        code,
        callback.url,
        verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, redeemed);
      return honest.fetch(`${baseUrl}/v1/tasks`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    };

    it('discovery, registration, sign-in, consent, token and call, over TLS', async () => {
      const person = new Person(baseUrl, buyer.participant.wallet, undefined, honest.fetch);
      expect((await connect((url) => person.authorize(url))).status).toBe(200);
      expect(person.trail.every(({ path }) => path.startsWith(`${GATEWAY_PREFIX}/`))).toBe(true);
    });

    it('a person who comes through a gateway that lies is sent to the client all the same', async () => {
      // Redirects name BASE_URL; a browser behind the lying gateway would follow them through that gateway again.
      const through: typeof fetch = (url, init) =>
        hostile.fetch((url as URL).href.replace(baseUrl, hostile.baseUrl), init);
      const person = new Person(baseUrl, buyer.participant.wallet, undefined, through);
      expect((await connect((url) => person.authorize(url))).status).toBe(200);
    });

    it('a person who cancels is sent back to the client', async () => {
      const person = new Person(baseUrl, buyer.participant.wallet, undefined, honest.fetch);
      const flow = connect(async (url) => redirected(await person.cancel(await person.consentPage(url))));
      await expect(flow).rejects.toMatchObject({ error: 'access_denied' });
    });
  });

  const describeThroughBoth = isThere ? describeWithBrowser : describe.skip;
  describeThroughBoth(`a real browser${note}${BROWSER_NOTE}`, () => {
    let browser: Browser;

    afterAll(() => browser?.close());

    it('keeps the secure cookies of the path, signs in, allows, and arrives at the client', async () => {
      browser = await launchBrowser([`--host-resolver-rules=MAP ${GATEWAY_HOST} 127.0.0.1`]);
      const person = await BrowserPerson.open(browser, baseUrl, buyer.participant.wallet, {
        mayVisit: [callback.origin],
        context: { ignoreHTTPSErrors: true },
      });
      const registration = await honest.fetch(`${baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Browser',
          redirect_uris: [callback.url],
          token_endpoint_auth_method: 'none',
        }),
      });
      const { client_id: clientId }: any = await registration.json();
      const parameters = {
        client_id: clientId,
        redirect_uri: callback.url,
        response_type: 'code',
        scope: 'read',
        state: 'state-of-the-browser',
        code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
        code_challenge_method: 'S256',
      };
      const arrived = await person.authorize(`${baseUrl}/oauth/authorize?${new URLSearchParams(parameters)}`);
      expect(Object.fromEntries(arrived.searchParams)).toEqual({
        code: expect.any(String),
        state: 'state-of-the-browser',
        iss: baseUrl,
      });
      expect(person.window.wrongs).toEqual([]);
      const cookies = await person.window.context.cookies(`${baseUrl}/account`);
      expect(cookies.length).toBeGreaterThan(0);
      for (const { name, secure, httpOnly, path, sameSite } of cookies) {
        expect([name, secure, httpOnly, sameSite === 'None']).toEqual([name, true, true, false]);
        expect([name, path.startsWith(GATEWAY_PREFIX)]).toEqual([name, true]);
      }
      await person.page.goto(`${baseUrl}/account/apps`);
      expect(await person.page.getByRole('main').innerText()).toContain('Browser');
      await person.close();
    });
  });
});

/** The answer without the remaining requests of the address, which go down between two requests. */
function withoutCounts<Answer extends { headers: Record<string, unknown> }>({ headers, ...answer }: Answer) {
  const { ratelimit: _left, 'x-limit-remaining': _remaining, ...same } = headers;
  return { ...answer, headers: same };
}

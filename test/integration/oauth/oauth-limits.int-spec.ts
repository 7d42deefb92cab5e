import { ClientSettings } from '../../../src/modules/oauth/registration/client-settings.js';
import { connect } from 'node:net';
import { AddressBudget } from '../../../src/platform/rate-limit/address-budget.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { answersWithoutPages, OAuthDriver, REDIRECT } from './oauth-driver.js';

const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const HOUR_MS = 3_600_000;

const realNow = Date.now.bind(Date);
let aheadMs = 0;

beforeAll(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs);
});

let people = 0;
/** A person who has connected an application and whose code has not been exchanged yet. */
async function connected(service: ListeningService, clientId: string): Promise<{ driver: OAuthDriver; code: string }> {
  people += 1;
  const account = await service.account(`person ${people}`);
  const driver = new OAuthDriver(service, clientId, account.id);
  return { driver, code: await driver.code() };
}

const read = (service: ListeningService, token: string) =>
  fetch(`${service.url}/v1/agents`, { headers: { authorization: `Bearer ${token}` } });

describe('token requests', () => {
  let service: ListeningService;
  let clientId: string;

  beforeAll(async () => {
    service = await ListeningService.listen({
      prepare: answersWithoutPages,
      environment: { rateLimitToken: 3, rateLimitTokenClient: 8, rateLimitIp: 100_000 },
    });
  });

  afterAll(() => service?.close());

  beforeEach(async () => {
    aheadMs += 120_000;
    ({ client_id: clientId } = await OAuthDriver.register(service));
  });

  it('of a grant beyond its quota are refused before anything is used up, and keep nobody else out', async () => {
    const { driver, code } = await connected(service, clientId);
    let answer = await driver.exchange(code);
    const policy = '"oauth-grant";q=3;w=60, "oauth-client";q=8;w=60';
    expect([answer.status, answer.headers.get('RateLimit-Policy')]).toEqual([200, policy]);
    for (let i = 0; i < 2; i += 1) answer = await driver.refresh(answer.body.refresh_token);
    expect(answer.status).toBe(200);
    const refused = await driver.refresh(answer.body.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused.headers.get('X-Limit-Remaining')).toBe('0');
    const other = await connected(service, clientId);
    expect((await other.driver.exchange(other.code)).status).toBe(200);
    aheadMs += 61_000;
    expect((await driver.refresh(answer.body.refresh_token)).status).toBe(200);
  });

  it('of an application are bounded over all its grants, without a share of other applications', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      const { driver, code } = await connected(service, clientId);
      statuses.push((await driver.exchange(code)).status);
    }
    expect(statuses).toEqual([...times(8, 200), 429]);
    const { client_id: another } = await OAuthDriver.register(service);
    const { driver, code } = await connected(service, another);
    expect((await driver.exchange(code)).status).toBe(200);
  });

  it('of one account with many grants leave the application to everybody else', async () => {
    const few = await ListeningService.listen({
      prepare: answersWithoutPages,
      environment: { rateLimitToken: 1, rateLimitTokenClient: 6, rateLimitIp: 100_000 },
    });
    try {
      const { client_id: application } = await OAuthDriver.register(few);
      const { id } = await few.account('greedy');
      const statuses: number[] = [];
      for (let i = 0; i < 8; i += 1) {
        const driver = new OAuthDriver(few, application, id);
        statuses.push((await driver.exchange(await driver.code())).status);
      }
      expect(statuses).toEqual([...times(4, 200), ...times(4, 429)]);
      const { driver, code } = await connected(few, application);
      expect((await driver.exchange(code)).status).toBe(200);
    } finally {
      await few.close();
    }
  });

  it('in the name of an application by who has no token of it cost it nothing', async () => {
    const stranger = new OAuthDriver(service, clientId, 'nobody');
    for (let i = 0; i < 20; i += 1) expect((await stranger.refresh(`made up ${i}`)).status).toBe(400);
    const { driver, code } = await connected(service, clientId);
    const { headers } = await driver.exchange(code);
    expect(headers.get('RateLimit')).toMatch(/"oauth-client";r=7;/);
  });
});

describe('an address', () => {
  let service: ListeningService;

  beforeAll(async () => {
    service = await ListeningService.listen({
      prepare: answersWithoutPages,
      environment: {
        rateLimitIp: 60,
        rateLimitRegistration: 2,
        rateLimitRegistrationTotal: 16,
        trustedProxies: ['127.0.0.1'],
      },
    });
  });

  afterAll(() => service?.close());

  const register = (from: string, own: object = {}) =>
    fetch(`${service.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Forwarded-For': from },
      body: JSON.stringify({ client_name: 'Spec', redirect_uris: [REDIRECT], ...own }),
    });

  it('pays for token requests that fail; beyond that they cost no look-up, and its own people go on', async () => {
    const gateway = { 'X-Forwarded-For': '203.0.113.20' };
    const { client_id: clientId } = await OAuthDriver.register(service);
    const { driver, code } = await connected(service, clientId);
    const other = await connected(service, clientId);
    const { body } = await driver.exchange(code, {});
    const form = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });
    const guess = async (i: number) => (await driver.token(form(`${'A'.repeat(40)}${100 + i}`), gateway)).status;
    const statuses: number[] = [];
    for (let i = 0; i < 80; i += 1) statuses.push(await guess(i));
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(60);
    expect(statuses.at(-1)).toBe(429);
    const count = async () => (await service.rows("SELECT 1 FROM audit_events WHERE event = 'token_refused'")).length;
    const before = await count();
    for (let i = 0; i < 20; i += 1) expect(await guess(i)).toBe(429);
    expect(await count()).toBe(before);
    // A refresh and a first code exchange, from the same address at the same time.
    expect((await driver.token(form(body.refresh_token), gateway)).status).toBe(200);
    const exchange = { grant_type: 'authorization_code', redirect_uri: REDIRECT, code_verifier: other.driver.verifier };
    expect((await other.driver.token({ ...exchange, code: other.code }, gateway)).status).toBe(200);
  });

  it('pays also for token requests whose answers it does not wait for', async () => {
    const from = '203.0.113.21';
    const { client_id: clientId } = await OAuthDriver.register(service);
    const body = `grant_type=refresh_token&client_id=${clientId}&refresh_token=${'B'.repeat(43)}`;
    const leave = async () => {
      const { port } = new URL(service.url);
      const socket = connect(Number(port), '127.0.0.1');
      await new Promise<void>((resolve) =>
        socket.write(
          `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\n` +
            'Content-Type: application/x-www-form-urlencoded\r\n' +
            `Content-Length: ${body.length}\r\n\r\n${body}`,
          () => resolve(),
        ),
      );
      socket.destroy();
    };
    for (let i = 0; i < 70; i += 1) await leave();
    await eventually(() => service.get(AddressBudget).spentUntil(from) !== null);
  });

  it('that registers applications without end leaves every other address its share', async () => {
    aheadMs += 2 * HOUR_MS;
    const greedy = [];
    for (let i = 0; i < 30; i += 1) greedy.push((await register('203.0.113.30')).status);
    expect(greedy.filter((status) => status === 201)).toHaveLength(8);
    const last = await register('203.0.113.30');
    expect([last.status, (await last.json()).error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(last.headers.get('Retry-After'))).toBeGreaterThan(0);
    for (let i = 0; i < 4; i += 1) {
      const others = [];
      for (let n = 0; n < 2; n += 1) others.push((await register(`203.0.113.${40 + i}`)).status);
      expect(others).toEqual([201, 201]);
    }
  });

  it('is told which setting permits the host of a redirect that is refused', async () => {
    aheadMs += 2 * HOUR_MS;
    const answer = await register('203.0.113.50', { redirect_uris: ['https://assistant.example/callback'] });
    const { error_description: description } = await answer.json();
    expect([answer.status, description]).toEqual([400, expect.stringContaining('OAUTH_REDIRECT_HOSTS')]);
  });
});

describe('access tokens', () => {
  let service: ListeningService;

  beforeAll(async () => {
    service = await ListeningService.listen({
      prepare: answersWithoutPages,
      environment: { oauthAccessTokenSeconds: 1800 },
    });
  });

  afterAll(() => service?.close());

  it('last as long as the operator says for all', async () => {
    const { client_id: clientId } = await OAuthDriver.register(service);
    const { driver, code } = await connected(service, clientId);
    const { body } = await driver.exchange(code);
    expect(body.expires_in).toBe(1800);
    aheadMs += 1_790_000;
    expect((await read(service, body.access_token)).status).toBe(200);
    aheadMs += 20_000;
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    expect((await read(service, body.access_token)).status).toBe(401);
  });

  it('of an application that never refreshes last twelve hours when the operator says so, and end when revoked', async () => {
    const settings = service.get(ClientSettings);
    const { client_id: clientId } = await OAuthDriver.register(service);
    await settings.setAccessTokenSeconds(clientId, 43_200, null);
    const [first, second] = [await connected(service, clientId), await connected(service, clientId)];
    const [{ body }, { body: other }] = [
      await first.driver.exchange(first.code),
      await second.driver.exchange(second.code),
    ];
    expect(body.expires_in).toBe(43_200);
    for (let hour = 1; hour < 12; hour += 1) {
      aheadMs += HOUR_MS;
      expect([hour, (await read(service, body.access_token)).status]).toEqual([hour, 200]);
    }
    await service.rows('UPDATE oauth_grants SET revoked_at = now() WHERE account_id = $1', [second.driver.accountId]);
    expect((await read(service, other.access_token)).status).toBe(401);
    aheadMs += HOUR_MS;
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    expect((await read(service, body.access_token)).status).toBe(401);
    const { body: refreshed } = await first.driver.refresh(body.refresh_token);
    expect(refreshed.expires_in).toBe(43_200);
    await settings.setAccessTokenSeconds(clientId, null, null);
    const { body: usual } = await first.driver.refresh(refreshed.refresh_token);
    expect(usual.expires_in).toBe(1800);
  });

  it('are never made to last longer than a day, nor for an application that is not known', async () => {
    const settings = service.get(ClientSettings);
    const { client_id: clientId } = await OAuthDriver.register(service);
    for (const seconds of [0, 59, 86_401, 1.5]) {
      await expect(settings.setAccessTokenSeconds(clientId, seconds, null)).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
    }
    await expect(settings.setAccessTokenSeconds('nobody', 3600, null)).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('fifty people of one assistant behind one address get tokens, use them and refresh: nobody gets 429', async () => {
  const service = await ListeningService.listen({
    prepare: answersWithoutPages,
    environment: {
      rateLimitPrincipal: 120,
      rateLimitPrepare: 30,
      rateLimitAccount: 600,
      rateLimitIp: 600,
      rateLimitToken: 30,
      rateLimitTokenClient: 12_000,
    },
  });
  try {
    const { client_id: clientId } = await OAuthDriver.register(service);
    const statuses: number[] = [];
    const tokens: { driver: OAuthDriver; body: any }[] = [];
    for (let i = 0; i < 50; i += 1) {
      const { driver, code } = await connected(service, clientId);
      const { status, body } = await driver.exchange(code);
      statuses.push(status);
      tokens.push({ driver, body });
    }
    // More requests than an address was once allowed in total, all in one minute of the clock that the limits use.
    const held = Date.now() - realNow();
    for (const { driver, body } of tokens) {
      aheadMs = held;
      for (let n = 0; n < 14; n += 1) statuses.push((await read(service, body.access_token)).status);
      statuses.push((await driver.refresh(body.refresh_token)).status);
    }
    expect(statuses).toEqual(times(50 * 16, 200));
  } finally {
    await service.close();
  }
});

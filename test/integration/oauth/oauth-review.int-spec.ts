import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { TestingModuleBuilder } from '@nestjs/testing';
import type { Request } from 'express';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { OAuthRequests } from '../../../src/modules/oauth/protocol/oauth-requests.js';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { AttackFixture, CALLBACK, refusal } from './attack-fixture.js';
import { Certificate } from '../../support/oauth/certificate.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { shown } from '../../support/oauth/person.js';

/** Resolves every name to this machine. */
class LocalEgress extends EgressDns {
  constructor(override readonly authorities: string) {
    super();
  }

  override resolve(): Promise<string[]> {
    return Promise.resolve(['127.0.0.1']);
  }
}

const PROXY = '127.0.0.1';

let certificate: Certificate;
let host: Server;
let port: number;
let isSilent = false;
let documentName = 'App';
let fetched: string[] = [];
let fixture: AttackFixture;
/** Another process of the same service, which has not seen any application yet. */
let other: ListeningService;

beforeAll(async () => {
  certificate = Certificate.for(['*.client.example']);
  host = createServer(certificate.pair, (request, response) => {
    fetched.push(request.url ?? '');
    if (isSilent) return;
    const id = `https://${request.headers.host}${request.url}`;
    response.writeHead(request.url === '/client.json' ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ client_id: id, client_name: documentName, redirect_uris: [CALLBACK] }));
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  port = (host.address() as AddressInfo).port;
  const egress = new LocalEgress(certificate.pair.cert);
  const environment = { oauthPrivateNetworks: ['127.0.0.1'], trustedProxies: [PROXY], rateLimitIp: 100_000 };
  const override = (testing: TestingModuleBuilder) => testing.overrideProvider(EgressDns).useValue(egress);
  fixture = await AttackFixture.start({ environment, override });
  other = await ListeningService.listen({
    databaseUrl: fixture.app.environment.databaseUrl,
    environment: { ...environment, baseUrl: fixture.url },
    override,
  });
});

beforeEach(() => {
  isSilent = false;
  documentName = 'App';
  fetched = [];
});

afterAll(async () => {
  await other?.close();
  await fixture?.close();
  host?.closeAllConnections();
  await new Promise((done) => host.close(done));
  certificate?.remove();
});

let hosts = 0;
const idOfDocument = () => `https://h${(hosts += 1)}.client.example:${port}/client.json`;

/**
 * Transactions that stay idle over ten checks. The sweepers' transactions are idle too, but only until this process
 * sends their next statement.
 */
async function heldTransactions(): Promise<string[]> {
  const idle = async () => {
    const rows = await fixture.app.rows<{ held: string }>(
      `SELECT pid || ' since ' || xact_start AS held FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tasktree' AND state = 'idle in transaction'`,
    );
    return rows.map(({ held }) => held);
  };
  let held = await idle();
  for (let look = 0; look < 10 && held.length > 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = await idle();
    held = held.filter((one) => now.includes(one));
  }
  return held;
}

describe('a transaction of the authorization server', () => {
  it('does not wait for the host of an application', async () => {
    const person = fixture.person();
    const { url } = fixture.client.authorization('read', { client_id: idOfDocument() });
    const begun = await person.request(url);
    const uid = begun.headers.get('location')?.split('/').at(-1) ?? '';
    fetched = [];
    isSilent = true;
    const resumed = person.request(`${other.url}/oauth/authorize/${uid}`);
    await eventually(() => Promise.resolve(fetched.length > 0));
    expect(await heldTransactions()).toEqual([]);
    expect((await resumed).status).toBe(503);
    expect(await heldTransactions()).toEqual([]);
  });

  it('is not needed for an application whose document another process has read', async () => {
    const person = fixture.person();
    const { url, state } = fixture.client.authorization('read', { client_id: idOfDocument() });
    const page = await person.consentPage(url);
    const form = page.form('/consent');
    const body = new URLSearchParams(form.fields.map(({ name, value }) => [name, value]));
    const allowed = await person.request(form.action, { method: 'POST', body, headers: { Origin: page.url.origin } });
    const back = new URL(allowed.headers.get('location') ?? '', fixture.url);
    const arrived = await person.request(`${other.url}${back.pathname}`);
    const redirect = new URL(arrived.headers.get('location') ?? '');
    expect([redirect.searchParams.get('state'), redirect.searchParams.has('code')]).toEqual([state, true]);
  });

  it('ends with its request, whatever breaks in the library', async () => {
    const requests = fixture.app.get(OAuthRequests);
    const broken = requests.run({ context: { requestId: 'r' } } as unknown as Request, async () => {
      await requests.hold(() => Promise.resolve());
      throw new Error('The library failed where it does not look');
    });
    await expect(broken).rejects.toThrow('does not look');
    expect(await heldTransactions()).toEqual([]);
  });
});

it('what a suspended account allowed is not active for a gateway', async () => {
  const { access_token: token, refresh_token: refresh } = await fixture.tokens();
  const { clientId, secret } = await fixture.register({ authMethod: 'client_secret_basic', isGateway: true });
  const headers = { Authorization: `Basic ${btoa(`${clientId}:${secret ?? ''}`)}` };
  const inspect = async (text: string) =>
    JSON.parse((await fixture.form('/oauth/introspect', { token: text }, headers)).text);
  expect(await inspect(token)).toMatchObject({ active: true });
  const { sub } = await inspect(token);
  await fixture.app.get(AccountsService).suspend(sub);
  expect([await inspect(token), await inspect(String(refresh))]).toEqual([{ active: false }, { active: false }]);
});

it('a stranger who names addresses at a host does not keep others from its application', async () => {
  const id = idOfDocument();
  const ask = (clientId: string, from: string) => {
    const { url } = fixture.client.authorization('read', { client_id: clientId });
    return fixture.send(url, { headers: { 'X-Forwarded-For': from } });
  };
  for (let i = 0; i < 12; i += 1) await ask(id.replace('client.json', `${i}.json`), '198.51.100.7');
  expect(fetched.length).toBeLessThanOrEqual(10);
  expect((await ask(id, '203.0.113.9')).status).toBe(303);
});

it('who allows and cancels at the same moment has either a connection or none', async () => {
  const person = fixture.person();
  const page = await person.consentPage(fixture.client.authorization('read').url);
  const uid = page.url.pathname.split('/').at(-1) ?? '';
  const lock = fixture.app.dataSource.createQueryRunner();
  await lock.startTransaction();
  await lock.query(`SELECT FROM oauth_records WHERE kind = 'Interaction' AND id_hash = sha256($1::bytea) FOR UPDATE`, [
    Buffer.from(uid),
  ]);
  const waiting = (count: number) =>
    eventually(async () => {
      const [row] = await fixture.app.rows<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.waiting === count;
    });
  const allowed = person.allow(page);
  await waiting(1);
  const cancelled = person.cancel(page);
  await waiting(2);
  await lock.rollbackTransaction();
  await lock.release();
  const answers = await Promise.all([allowed, cancelled]);
  const isConnected = answers.some(({ redirect }) => redirect?.searchParams.has('code') === true);
  const [grants] = await fixture.app.rows<{ live: number }>(
    `SELECT count(*)::int AS live FROM oauth_grants g WHERE revoked_at IS NULL
       AND account_id = (SELECT account_id FROM account_wallets WHERE address = $1)`,
    [person.wallet.address],
  );
  expect(grants?.live).toBe(isConnected ? 1 : 0);
  expect(person.trail.every(({ status }) => status < 500)).toBe(true);
});

it('a request target that is no URL is no fault of the service', async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1', () => {
      socket.end('GET http://:99999/oauth/authorize HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
    });
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
});

describe('characters that the database cannot keep', () => {
  const NUL = 'a\u0000b';

  it.each(['state', 'login_hint', 'ui_locales', 'display', 'dpop_jkt'])(
    'in %s are refused as malformed',
    async (name) => {
      const { url } = fixture.client.authorization('read', { [name]: NUL });
      const answer = await fixture.send(url, { headers: { Accept: 'text/html' } });
      expect(answer.status).toBeLessThan(500);
      const error = answer.location?.searchParams.get('error') ?? null;
      expect([answer.status, error]).toEqual(answer.location === null ? [400, null] : [303, 'invalid_request']);
      expect(await fixture.events(answer)).toEqual(['authorization_refused']);
      const pushed = await fixture.form('/oauth/par', url.searchParams.toString());
      expect(pushed.status === 201 || refusal(pushed)[0] === 400).toBe(true);
    },
  );

  it.each([
    ['half of a pair in the name', { client_name: 'App \ud800' }],
    [
      'a key with a member of its own',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', x: NUL }] } },
    ],
  ])('in a registration (%s) are no fault of the service', async (_name, own) => {
    const answer = await fixture.send('/oauth/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', ...own }),
    });
    expect(answer.status).toBeLessThan(500);
  });

  it('in the name of an application are refused, wherever its name comes from', async () => {
    documentName = 'App \ud800';
    const { url } = fixture.client.authorization('read', { client_id: idOfDocument() });
    expect((await fixture.send(url)).status).toBe(400);
  });

  it('in the id of an application to disconnect disconnect nothing', async () => {
    const { person } = await fixture.tokens();
    const page = shown(await person.open(`${fixture.url}/account/apps`));
    const answer = await person.submit(page, page.form('/account/apps/revoke'), { client_id: NUL });
    expect(shown(answer).status).toBeLessThan(500);
    expect(shown(await person.open(`${fixture.url}/account/apps`)).has('/account/apps/revoke')).toBe(true);
  });
});

it('requests whose callers go away leave no transaction behind', async () => {
  const { hostname, port: own } = new URL(fixture.url);
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: fixture.client.clientId });
  const sent = async (part: (text: string) => string) => {
    const { refresh_token: token } = await fixture.tokens();
    const form = `${body.toString()}&refresh_token=${String(token)}`;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(own), hostname, () => {
        socket.write(
          `POST /oauth/token HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
            `Content-Length: ${form.length}\r\n\r\n${part(form)}`,
          () => setTimeout(() => socket.destroy(), 5),
        );
      });
      socket.on('close', () => resolve());
    });
  };
  await Promise.all([1, 2, 3, 4].flatMap(() => [sent((text) => text), sent((text) => text.slice(0, -10))]));
  await eventually(async () => (await heldTransactions()).length === 0);
});

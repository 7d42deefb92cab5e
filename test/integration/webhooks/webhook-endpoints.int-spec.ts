import { createPublicKey, randomUUID } from 'node:crypto';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { attemptList, endpointList } from '../../../src/modules/webhooks/endpoints/endpoint-rows.sql.js';
import { TAKE_UP } from '../../../src/modules/webhooks/delivery/delivery.sql.js';
import { WebhooksSweeper } from '../../../src/modules/webhooks/delivery/webhooks.sweeper.js';
import { receiverUrl } from '../../../src/modules/webhooks/endpoints/endpoint-url.js';
import { WebhookSigningKeys } from '../../../src/modules/webhooks/signing/webhook-signing-keys.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { ListeningService } from '../../support/listening-service.js';
import { costOf } from '../../support/query-plan.js';
import { testEnvironment } from '../../support/test-environment.js';
import type { Caller } from '../../support/test-service.js';
import { runTool } from '../../support/tool-run.js';

const HOUR_MS = 3_600_000;
const URL = 'https://hooks.example/tasktree?token=hidden';

let service: ListeningService;
let caller: Caller;

beforeAll(async () => {
  // Nothing is delivered: no name resolves.
  const override = (testing: TestingModuleBuilder) =>
    testing.overrideProvider(EgressDns).useValue({ authorities: null, resolve: () => Promise.resolve([]) });
  service = await ListeningService.listen({ override });
});
beforeEach(async () => {
  caller = await service.caller(null);
  await service.logged();
});
afterAll(() => service?.close());

interface Sent {
  key?: string;
  as?: string;
}

async function send(method: string, path: string, body?: object, { key = randomUUID(), as }: Sent = {}) {
  const answer = await fetch(`${service.url}/v1/webhook-endpoints${path}`, {
    method,
    headers: {
      'X-Api-Key': as ?? caller.keys.read,
      ...(method === 'GET' || key === '' ? {} : { 'Idempotency-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const replayed = answer.headers.has('Idempotent-Replayed');
  return { status: answer.status, body: (await answer.json()) as any, replayed };
}

const made = async (more: object = {}): Promise<any> => (await send('POST', '', { url: URL, ...more })).body;
const code = ({ status, body }: { status: number; body: any }) => [status, body.error?.code];

it('is made, listed, read, changed and deleted, and its secret is shown once', async () => {
  const { secret, ...first } = await made({ types: ['quote.submitted'], description: 'Ledger' });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(first).toEqual({
    id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
    url: URL,
    description: 'Ledger',
    types: ['quote.submitted'],
    status: 'enabled',
    waiting: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  // Of a type that does not happen here: it would be told that the first one is disabled.
  const { secret: _, ...second } = await made({ types: ['task.created'] });
  expect((await send('GET', '')).body).toEqual({ data: [second, first], next_page: null });
  const page = (await send('GET', '?limit=1')).body;
  expect(page.data).toEqual([second]);
  expect((await send('GET', `?limit=1&cursor=${page.next_page}`)).body).toEqual({ data: [first], next_page: null });
  const changed = await send('PATCH', `/${first.id}`, { types: [], description: '', url: 'https://b.example/' });
  expect(changed.body).toMatchObject({ types: [], url: 'https://b.example/' });
  expect(changed.body).not.toHaveProperty('description');
  expect((await send('PATCH', `/${first.id}`, { enabled: false })).body).toMatchObject({
    status: 'disabled',
    disabled_reason: 'owner',
    missed_since: expect.any(String),
  });
  expect(code(await send('POST', `/${first.id}/test`))).toEqual([409, 'state_conflict']);
  expect(code(await send('POST', `/${first.id}/replay`, { failed: true }))).toEqual([409, 'state_conflict']);
  expect((await send('DELETE', `/${first.id}`)).body.id).toBe(first.id);
  expect(code(await send('GET', `/${first.id}`))).toEqual([404, 'not_found']);
  expect((await send('GET', '')).body.data).toEqual([second]);
});

it('shows the same secret to a repetition of the request, and never two', async () => {
  const key = randomUUID();
  const first = await send('POST', '', { url: URL }, { key });
  const again = await send('POST', '', { url: URL }, { key });
  expect([again.body, again.replayed]).toEqual([first.body, true]);
  expect((await send('GET', '')).body.data).toHaveLength(1);
  const rotated = await send('POST', `/${first.body.id}/secret`, undefined, { key });
  const rotatedAgain = await send('POST', `/${first.body.id}/secret`, undefined, { key });
  expect(rotated.body.secret).not.toBe(first.body.secret);
  expect(rotated.body.previous_secret_until).toEqual(expect.any(String));
  expect(rotatedAgain.body.secret).toBe(rotated.body.secret);
  const rows = await service.dataSource.query('SELECT * FROM webhook_endpoints WHERE id = $1', [first.body.id]);
  expect(JSON.stringify(rows)).not.toContain(first.body.secret.slice(6));
  expect(code(await send('POST', '', { url: URL }, { key: '' }))).toEqual([400, 'idempotency_key_missing']);
});

it('is nobody else’s: another account and another key of the account find a 404', async () => {
  const { id } = await made();
  const stranger = await service.caller(null);
  const { secret: sibling } = await service.get(ApiKeysService).create(caller.accountId, { scope: 'read', name: 'b' });
  for (const as of [stranger.keys.read, sibling]) {
    const all = [
      await send('GET', `/${id}`, undefined, { as }),
      await send('GET', `/${id}/attempts`, undefined, { as }),
      await send('PATCH', `/${id}`, { enabled: false }, { as }),
      await send('DELETE', `/${id}`, undefined, { as }),
      await send('POST', `/${id}/secret`, undefined, { as }),
      await send('POST', `/${id}/test`, undefined, { as }),
      await send('POST', `/${id}/replay`, { failed: true }, { as }),
    ];
    expect(all.map(code)).toEqual(all.map(() => [404, 'not_found']));
    expect((await send('GET', '', undefined, { as })).body.data).toEqual([]);
  }
  expect(code(await send('POST', '', { url: URL }, { as: caller.keys.buyer }))).toEqual([403, 'insufficient_scope']);
});

it('has nine others of its account at most, also when they are asked for at once', async () => {
  const answers = await Promise.all(Array.from({ length: 9 }, () => send('POST', '', { url: URL })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const more = await Promise.all(Array.from({ length: 3 }, () => send('POST', '', { url: URL })));
  expect(more.map(code).filter(([status]) => status !== 200)).toEqual([
    [403, 'quota_exceeded'],
    [403, 'quota_exceeded'],
  ]);
});

it.each([
  'http://hooks.example/',
  'ftp://hooks.example/',
  'hooks.example',
  'https://user@hooks.example/',
  'https://user:password@hooks.example/',
  'https://hooks.example/#part',
  'https://hooks.example:22/',
  'https://hooks.example:80/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest',
  'https://[::ffff:10.0.0.1]/',
  'https://[fd00::1]/',
  'https://0x0a000001/',
  'https://167772161/',
  `https://hooks.example/${'a'.repeat(2048)}`,
  '',
])('refuses %s', async (url) => {
  const answer = await send('POST', '', { url });
  expect(code(answer)).toEqual([400, 'invalid_body']);
  if (url !== '') expect(JSON.stringify(answer.body)).not.toContain(url);
});

it.each(['http://127.0.0.1:8080/', 'https://127.0.0.1:8443/', 'https://localhost/', 'https://a.localhost./'])(
  'takes %s beside a local chain at most',
  (url) => {
    expect(() => receiverUrl(url, testEnvironment('', { chainId: 8453 }))).toThrow();
  },
);

it.each([
  [{ types: ['quote.eaten'] }],
  [{ types: ['quote.submitted', 'quote.submitted'] }],
  [{ types: 'quote.submitted' }],
  [{ description: 'a'.repeat(201) }],
  [{ description: 'a\u202eb' }],
  [{ secret: 'whsec_own' }],
])('refuses %j', async (more) => {
  expect(code(await send('POST', '', { url: URL, ...more }))).toEqual([400, 'invalid_body']);
});

it('goes with its key, and its old attempts with time', async () => {
  const { id } = await made();
  const { id: kept } = (await send('POST', '', { url: URL }, { as: (await service.caller(null)).keys.read })).body;
  const [key] = (await service.get(ApiKeysService).listLive(caller.accountId)).filter(({ scope }) => scope === 'read');
  await service.get(ApiKeysService).revoke(key!.id);
  await service.dataSource.query(
    `INSERT INTO webhook_attempts VALUES ('wha_old', $1, $2, 'evt_a', now() - interval '31 days', 200, null, 1, ''),
      ('wha_new', $1, $2, 'evt_a', now() - interval '29 days', 200, null, 1, '')`,
    [kept, caller.accountId],
  );
  await service.get(WebhooksSweeper).sweep();
  const left = await service.dataSource.query('SELECT id FROM webhook_endpoints WHERE id = ANY ($1)', [[id, kept]]);
  expect(left).toEqual([{ id: kept }]);
  expect(await service.dataSource.query(`SELECT id FROM webhook_attempts WHERE event_id = 'evt_a'`)).toEqual([
    { id: 'wha_new' },
  ]);
});

it('is listed, and its attempts are, by a range of an index', async () => {
  await service.dataSource.query(
    `INSERT INTO webhook_attempts
       SELECT 'wha_' || lpad(n::text, 8, '0'), 'whe_' || n % 20, 'acct_x', 'evt_a', now(), 200, null, 1, 'ok'
       FROM generate_series(1, 40000) n`,
  );
  await service.dataSource.query('ANALYZE webhook_attempts');
  const settings = ['plan_cache_mode=force_generic_plan'];
  const attempts = await costOf(service.dataSource, attemptList('attempt.*', 26).text, ['whe_1', 'wha_~'], settings);
  expect([attempts.scanned, attempts.buffers < 60]).toEqual([[], true]);
  expect(endpointList('endpoint.*', 26).text).toContain('account_id');
  await service.dataSource.query('DELETE FROM webhook_attempts');
});

it('that has everything is found out by a look into the index, and not by reading the log', async () => {
  const { dataSource } = service;
  const { id } = await made();
  const MICROSECONDS = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';
  await dataSource.query(`UPDATE webhook_endpoints SET position = ${MICROSECONDS} + 3600000000`);
  // As many as their accounts may have, none of them with anything to get: the log is older than they are.
  await dataSource.query(
    `INSERT INTO webhook_endpoints (id, account_id, url, status, secret_sealed, position, resume_at, served_at, created_at, updated_at)
       SELECT 'whe_many_' || n, account_id, url, 'enabled', secret_sealed, position, now(), now(), now(), now()
       FROM webhook_endpoints, generate_series(1, 5000) n WHERE id = $1`,
    [id],
  );
  const values = [false, new Date(), new Date(), 16, 'nobody'];
  const buffersOf = async (): Promise<number> => {
    await dataSource.query('VACUUM ANALYZE webhook_endpoints, event_audience');
    return (await costOf(dataSource, TAKE_UP, values, [])).buffers;
  };
  const small = await buffersOf();
  await dataSource.query(
    `INSERT INTO event_audience (account_id, sequence, type)
       SELECT CASE n % 2 WHEN 0 THEN 'public' ELSE $1 END, (SELECT ${MICROSECONDS}) - n, 'agent.updated'
       FROM generate_series(1, 100000) n`,
    [caller.accountId],
  );
  const large = await buffersOf();
  const startMs = performance.now();
  await dataSource.query(TAKE_UP, values);
  const tookMs = Math.round(performance.now() - startMs);
  process.stdout.write(`  5,000 idle endpoints: ${small} and ${large} pages beside 100,000 events, ${tookMs} ms\n`);
  // Two looks into the index of each partition; to read the log once for each endpoint would be three million.
  expect([large, large < 5_000 * 20]).toEqual([large, true]);
  await dataSource.query(`DELETE FROM webhook_endpoints WHERE id LIKE 'whe\\_many%'`);
  await dataSource.query('TRUNCATE event_audience');
}, 60_000);

describe('the operator', () => {
  it('lists endpoints without what is secret in their addresses, disables one and has events sent again', async () => {
    const { id } = await made();
    const environment = testEnvironment((service.dataSource.options as { url: string }).url);
    const listed = await runTool(environment, 'webhooks', 'list');
    expect([listed.code, listed.err]).toEqual([0, '']);
    expect(listed.out).toContain(`${id}  ${caller.accountId}  hooks.example  enabled  0 waiting`);
    expect(listed.out).not.toContain('hidden');
    const replayed = await runTool(environment, 'webhooks', 'replay', id, '--failed');
    expect(replayed.out).toContain(`${id}  gets 0 events again`);
    const disabled = await runTool(environment, 'webhooks', 'disable', id, '--json');
    expect(JSON.parse(disabled.out)).toMatchObject({ id, status: 'disabled', disabled_reason: 'operator' });
    expect((await send('GET', `/${id}`)).body).toMatchObject({ disabled_reason: 'operator' });
    await runTool(environment, 'webhooks', 'disable', id);
    const told = `SELECT request_id, detail FROM audit_events
      WHERE event = 'webhook_endpoint_disabled' AND account_id = $1 AND detail->>'endpoint_id' = $2`;
    expect(await service.dataSource.query(told, [caller.accountId, id])).toEqual([
      { request_id: null, detail: { endpoint_id: id, host: 'hooks.example', by: 'operator' } },
    ]);
    const wrong = await Promise.all([
      runTool(environment, 'webhooks', 'replay', id),
      runTool(environment, 'webhooks', 'replay', id, '--since', 'yesterday'),
      runTool(environment, 'webhooks', 'disable', 'whe_none'),
    ]);
    expect(wrong.map((run) => run.code)).toEqual([2, 2, 1]);
  }, 60_000);

  it('rotates the key of deliveries: published a day before it signs and a day after, or at once where it is known', async () => {
    class AheadClock extends Clock {
      aheadMs = 0;
      override wallMs = () => Date.now() + this.aheadMs;
    }
    const clock = new AheadClock();
    const keys = new WebhookSigningKeys(service.get(Transactions), service.get(Sealer), clock, service.get(AuditLog));
    const signing = async () => {
      const raw = createPublicKey(await keys.current())
        .export({ format: 'der', type: 'spki' })
        .subarray(-32);
      return (await keys.published()).find(({ publicKey }) => publicKey.equals(raw))?.id;
    };
    const published = async () => (await keys.published()).map(({ id }) => id);
    const environment = testEnvironment((service.dataSource.options as { url: string }).url);
    const rotate = async (...options: string[]): Promise<string> => {
      const run = await runTool(environment, 'webhooks', 'rotate-key', '--json', ...options);
      return run.code === 0 ? JSON.parse(run.out).key_id : run.err;
    };
    const first = (await signing())!;
    const second = await rotate();
    expect(await rotate()).toContain('A new key is published already');
    const shown: any = await (await fetch(`${service.url}/.well-known/webhook-keys`)).json();
    expect(shown.keys.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    clock.aheadMs = 23 * HOUR_MS;
    expect([await signing(), await published()]).toEqual([first, [second, first]]);
    clock.aheadMs = 25 * HOUR_MS;
    expect([await signing(), await published()]).toEqual([second, [second, first]]);
    clock.aheadMs = 49 * HOUR_MS;
    expect([await signing(), await published()]).toEqual([second, [second]]);
    const third = await rotate('--compromised');
    expect(await published()).toEqual([third]);
    clock.aheadMs += 11_000;
    expect(await signing()).toBe(third);
    const told = `SELECT credential_id FROM audit_events WHERE event = 'webhook_key_rotated' ORDER BY id`;
    expect((await service.dataSource.query(told)).map((row: any) => row.credential_id)).toEqual([second, third]);
  }, 60_000);
});

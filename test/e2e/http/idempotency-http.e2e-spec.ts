import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from '../../support/e2e/database-rows.js';
import { expectError, expectSuccess, settled } from '../../support/e2e/answers.js';
import { type RawRequest, send } from '../../support/e2e/http-request.js';
import { marketFolder, MarketFixture, type OwnNode, type Person } from '../../support/e2e/market-fixture.js';
import type { ApiAnswer } from '../../support/market.js';

let fixture: MarketFixture;
let buyer: Person;
let worker: Person;
let node: OwnNode;
let sibling: OwnNode;

beforeAll(async () => {
  fixture = await MarketFixture.open();
  buyer = await fixture.person('Idempotency buyer');
  worker = await fixture.person('Idempotency worker', { 'Repeater-1': ['repeating'] });
  node = await fixture.fundedNode(buyer, worker);
  sibling = await fixture.fundedNode(buyer, worker);
});
afterAll(() => fixture.close());

const pathOf = (one: OwnNode): string => `/v1/tasks/${one.task.id}/nodes/${one.id}/abandon-intents`;
const newKey = (): string => `idem-${randomUUID()}`;

interface Call {
  key?: string;
  path?: string;
  body?: string;
  credential?: string;
  headers?: [string, string][];
}

const post = ({ key, path, body, credential, headers = [] }: Call): Promise<ApiAnswer> => {
  const request: RawRequest = {
    method: 'POST',
    headers: [
      ['X-Api-Key', credential ?? worker.keys.worker],
      ...(key === undefined ? [] : [['Idempotency-Key', key] as [string, string]]),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
      ...headers,
    ],
    ...(body === undefined ? {} : { body }),
  };
  return send(path ?? pathOf(node), request);
};

const replayed = (answer: ApiAnswer): boolean => answer.headers.get('idempotent-replayed') === 'true';

const actionsOf = async (one: OwnNode): Promise<number> => {
  const [row] = await query<{ n: number }>('SELECT count(*)::int AS n FROM prepared_actions WHERE node_id = $1', [
    one.id,
  ]);
  return row!.n;
};

describe('the key', () => {
  it('is required, once, with 1 to 255 characters', async () => {
    expectError(await post({}), 400, 'idempotency_key_missing');
    for (const key of ['', '   ', 'k'.repeat(256)]) expectError(await post({ key }), 400, 'idempotency_key_invalid');
    const key = newKey();
    expectError(await post({ key, headers: [['Idempotency-Key', key]] }), 400, 'idempotency_key_invalid');
  });

  it.each([
    ['of 255 characters', randomBytes(128).toString('hex').slice(0, 255)],
    ['with quotes', `"${newKey()}"`],
    ['with commas and blanks', `${newKey()}, b , c`],
    ['with SQL', `${newKey()}'; DROP TABLE idempotency_records; --`],
    ['with octets beyond ASCII', `${newKey()}\u00ff\u0080`],
  ])('%s is taken as it is, and replays', async (_, key) => {
    const first = await post({ key });
    expectSuccess(first);
    const second = await post({ key });
    expect([second.status, second.text, replayed(second)]).toEqual([200, first.text, true]);
  });

  it('is another one in other letters or with quotes around it', async () => {
    const key = newKey();
    const ids = [];
    for (const text of [key, key.toUpperCase(), `"${key}"`]) ids.push((await post({ key: text })).body.action_id);
    expect(new Set(ids).size).toBe(3);
  });

  it('means nothing on a read', async () => {
    const read = (): Promise<ApiAnswer> =>
      send('/v1/tasks?limit=1', { headers: { 'X-Api-Key': worker.keys.read, 'Idempotency-Key': 'k'.repeat(400) } });
    expect((await read()).status).toBe(200);
    expect(replayed(await read())).toBe(false);
  });
});

describe('a replay', () => {
  it('has the very bytes of the first answer, its marker, and fresh headers of its own', async () => {
    const key = newKey();
    const before = await actionsOf(node);
    const first = await post({ key });
    const second = await post({ key });
    expectSuccess(second);
    expect([replayed(first), replayed(second)]).toEqual([false, true]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('service-version')).toBe(first.headers.get('service-version'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await actionsOf(node)).toBe(before + 1);
  });

  it('counts against the limit', async () => {
    const key = newKey();
    const left = async (): Promise<number> => Number((await post({ key })).headers.get('x-limit-remaining'));
    const [first, second, third] = [await left(), await left(), await left()];
    // At most one new window can begin between these requests, so one of the two steps counts down.
    expect(second < first || third < second).toBe(true);
  });

  it('is the same with another credential of the same principal', async () => {
    const key = newKey();
    const first = await post({ key });
    const { account } = worker.participant;
    const { secret } = await fixture.services.keys.create(account.id, { scope: 'worker', name: 'another' });
    const second = await post({ key, credential: secret });
    expect([second.text, replayed(second)]).toEqual([first.text, true]);
  });

  it('is the same for another spelling of the path, and for another query', async () => {
    const key = newKey();
    const first = await post({ key });
    const encoded = pathOf(node).replace('/nodes/n', '/nodes/%6e').replace('task_', 't%61sk_');
    const second = await post({ key, path: encoded });
    expect([second.status, second.text, replayed(second)]).toEqual([200, first.text, true]);
  });

  it('is the same for another order, spacing and spelling of the same body', async () => {
    const key = newKey();
    const first = await post({ key, body: '{"a":1,"b":[true,"ü"]}' });
    for (const body of [
      '{"b":[true,"ü"],"a":1}',
      ' {\n"a" : 1.0, "b":[ true , "\\u00fc" ] }\n',
      '{"a":1e0,"b":[true,"ü"]}',
    ]) {
      const again = await post({ key, body });
      expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, true]);
    }
  });

  it('goes on after the state has changed, while a new key meets the new state', async () => {
    const own = await fixture.fundedNode(buyer, worker);
    const [key, path] = [newKey(), pathOf(own)];
    const first = await post({ key, path });
    const { transaction } = first.body.payload;
    await fixture.indexed(await fixture.chain.send(worker.participant.wallet, transaction.to, transaction.data));
    const second = await post({ key, path });
    expect([second.status, second.text, replayed(second)]).toEqual([200, first.text, true]);
    const refusedKey = newKey();
    const refused = await post({ key: refusedKey, path });
    expectError(refused, 409, 'node_not_funded');
    const again = await post({ key: refusedKey, path });
    expect([again.status, again.text, replayed(again)]).toEqual([409, refused.text, true]);
  });

  it('ends with the scope, the key and the account: a right that is gone replays nothing', async () => {
    const key = newKey();
    const { account } = worker.participant;
    const made = await fixture.services.keys.create(account.id, { scope: 'worker', name: 'short' });
    expect((await post({ key, credential: made.secret })).status).toBe(200);
    expectError(await post({ key, credential: worker.keys.read }), 403, 'insufficient_scope');
    await fixture.services.keys.revoke(made.key.id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expectError(await post({ key, credential: made.secret }), 401, 'api_key_revoked');

    const leaver = await fixture.person('Leaver', { 'Leaver-1': ['leaving'] });
    const own = await fixture.fundedNode(buyer, leaver);
    const call = { key, path: pathOf(own), credential: leaver.keys.worker };
    expect((await post(call)).status).toBe(200);
    await fixture.services.accounts.suspend(leaver.account_id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expectError(await post(call), 403, 'account_suspended');
  });
});

describe('a key that was used for another request', () => {
  it('is refused with one body whatever differs, which says nothing of the first request', async () => {
    const key = newKey();
    const first = await post({ key, body: '{"a":1}' });
    expect(first.status).toBe(200);
    const before = await actionsOf(node);
    const others: Call[] = [
      { key },
      { key, body: '{}' },
      { key, body: '{"a":2}' },
      { key, body: '{"a":"1"}' },
      { key, body: '{"a":1,"b":null}' },
      { key, path: pathOf(sibling), body: '{"a":1}' },
      { key, path: pathOf(sibling) },
      // This path names nothing that exists. The key is checked first, so the answer does not reveal that.
      { key, path: `${pathOf(node).replace('/abandon', '9/abandon')}` },
    ];
    const bodies = new Set<string>();
    for (const other of others) {
      const answer = await post(other);
      expectError(answer, 409, 'idempotency_key_conflict');
      expect(replayed(answer)).toBe(false);
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
    const [body] = bodies;
    for (const secret of [key, first.body.action_id, node.id, node.task.id, first.body.nonce + '"'])
      expect(body).not.toContain(secret);
    expect(await actionsOf(node)).toBe(before);
    // The key still replays the first request.
    expect((await post({ key, body: '{"a":1}' })).text).toBe(first.text);
  });

  it('is free for other principals: their actions are their own, without a hint', async () => {
    const key = newKey();
    const other = await fixture.person('Namesake', { 'Namesake-1': ['naming'] });
    const own = await fixture.fundedNode(buyer, other);
    const [mine, theirs] = [await post({ key }), await post({ key, path: pathOf(own), credential: other.keys.worker })];
    expectSuccess(theirs);
    expect(replayed(theirs)).toBe(false);
    expect(theirs.body.action_id).not.toBe(mine.body.action_id);
    expect(theirs.body.principal).toBe(other.account_id);
    // The other principal may not make the first principal's request at all.
    expectError(await post({ key: newKey(), credential: other.keys.worker }), 404, 'not_found');
    expectError(await post({ key, credential: other.keys.worker }), 409, 'idempotency_key_conflict');
  });
});

it('a version that is named is compared, an unnamed one is not', async () => {
  const key = newKey();
  const first = await post({ key });
  const version = first.headers.get('service-version')!;
  const named = await post({ key, headers: [['Service-Version', version]] });
  expect([named.status, named.text, replayed(named)]).toEqual([200, first.text, true]);
  // Makes the record look as if an older version had served the first use.
  await query(
    `UPDATE idempotency_records SET api_version = '2020-01-01'
               WHERE account_id = $1 AND created_at = (SELECT max(created_at) FROM idempotency_records WHERE account_id = $1)`,
    [worker.account_id],
  );
  const unnamed = await post({ key });
  expect([unnamed.status, unnamed.text, replayed(unnamed)]).toEqual([200, first.text, true]);
  expect(unnamed.headers.get('service-version')).toBe('2020-01-01');
  expectError(await post({ key, headers: [['Service-Version', version]] }), 409, 'idempotency_key_conflict');
});

describe('a request that was refused leaves its key free', () => {
  it('after 400, 401, 403 and 404', async () => {
    const key = newKey();
    expectError(await post({ key, body: '{' }), 400, 'invalid_body');
    expectError(await post({ key, body: '{"a":1,"a":2}' }), 400, 'invalid_body');
    expectError(await post({ key, path: `${pathOf(node)}?x=1` }), 400, 'unknown_parameter');
    expectError(await post({ key, path: pathOf(node).replace('node_', 'node!') }), 400, 'invalid_parameter');
    expectError(await post({ key, credential: 'mkt_test_w_nonsense' }), 401, 'invalid_api_key');
    expectError(await post({ key, credential: worker.keys.buyer }), 403, 'insufficient_scope');
    expectError(await post({ key, path: pathOf(node).replace('/abandon', '9/abandon') }), 404, 'not_found');
    const success = await post({ key });
    expectSuccess(success);
    expect(replayed(success)).toBe(false);
  });

  it('after 403 of a role', async () => {
    const key = newKey();
    const call = { key, credential: buyer.keys.worker };
    expectError(await post(call), 403, 'not_node_worker');
    const again = await post(call);
    expectError(again, 403, 'not_node_worker');
    expect(replayed(again)).toBe(false);
  });
});

describe('a hundred at once', () => {
  it('with one key are one action, one text, and 99 replays', async () => {
    const own = await fixture.fundedNode(buyer, worker);
    const [key, path] = [newKey(), pathOf(own)];
    const answers = await Promise.all(Array.from({ length: 100 }, () => settled(() => post({ key, path }))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await actionsOf(own)).toBe(1);
  });

  it('with one key and two bodies are one action and one conflict text', async () => {
    const own = await fixture.fundedNode(buyer, worker);
    const [key, path] = [newKey(), pathOf(own)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        settled(() => post({ key, path, body: index % 2 === 0 ? '{"a":1}' : '{"a":2}' })),
      ),
    );
    const ok = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([ok.length, refused.length]).toEqual([50, 50]);
    expect(new Set(ok.map(({ text }) => text)).size).toBe(1);
    for (const answer of refused) expectError(answer, 409, 'idempotency_key_conflict');
    expect(await actionsOf(own)).toBe(1);
  });
});

it('the key is never stored or logged as text, nor are credentials and signing links', async () => {
  const key = newKey();
  const { body } = await post({ key });
  await post({ key });
  await post({ key, body: '{"a":1}' });
  await fetch(body.signing_url);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const log = readFileSync(join(marketFolder(), 'service.log'), 'utf8');
  expect(log).toContain(worker.account_id);
  const token = new URL(body.signing_url).pathname.split('/').at(-1)!;
  for (const secret of [key, worker.keys.worker, worker.wallet_private_key.slice(2), token]) {
    expect(log).not.toContain(secret);
  }
  const rows = await query<{ text: string }>(
    'SELECT t::text AS text FROM idempotency_records t WHERE account_id = $1',
    [worker.account_id],
  );
  const stored = rows.map(({ text }) => text).join('\n');
  expect(rows.length).toBeGreaterThan(5);
  for (const secret of [key, Buffer.from(key).toString('hex'), token, Buffer.from(token).toString('hex')]) {
    expect(stored).not.toContain(secret);
  }
});

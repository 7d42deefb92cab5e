import { randomUUID } from 'node:crypto';
import { FINAL_AFTER_BLOCKS } from '../../../src/modules/prepared-actions/action/action-status.js';
import { ACTION_STATUSES } from '../../../src/modules/prepared-actions/dto/list-actions.query.js';
import { actionListStatement, AFTER_ALL_ACTIONS } from '../../../src/modules/prepared-actions/list/action-list.sql.js';
import { LOOKED_AT } from '../../../src/modules/prepared-actions/list/action-list.service.js';
import { ASKED_AT_MOST } from '../../../src/modules/prepared-actions/list/listed-statuses.js';
import { LISTED_STANDINGS } from '../../../src/modules/prepared-actions/list/listed-standings.sql.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { planOf } from '../../support/query-plan.js';
import type { RpcCall } from '../../support/rpc-proxy.js';
import { ask, type Principal, SigningFixture } from '../../support/signing-fixture.js';

const AFTER_EXPIRY_MS = 901_000;
const HASHES = { failed: `0x${'fa'.repeat(32)}`, submitted: `0x${'5b'.repeat(32)}`, unknown: `0x${'ab'.repeat(32)}` };
/** Members of an action that only a read of the one action shows. */
const NOT_LISTED = ['payload', 'match_code', 'transaction'];

/** Rows of one statement that makes many. */
const COPIES_AT_ONCE = 4_000;

let fixture: SigningFixture;
let ada: Principal;
let bob: Principal;
let tokens: AccessTokenRows;

beforeAll(async () => {
  fixture = await SigningFixture.start({ environment: { rateLimitPrincipal: 100_000, rateLimitAccount: 100_000 } });
  [ada, bob] = [await fixture.principal('Ada'), await fixture.principal('Bob')];
  tokens = new AccessTokenRows((text, values) => fixture.service.rows(text, values), fixture.service.url);
});
afterAll(() => fixture?.stop());
afterEach(() => {
  fixture.clock.aheadMs = 0;
  fixture.rpc.mode = 'pass';
});

type Headers = Record<string, string>;

async function get(
  path: string,
  headers: Headers,
): Promise<{ status: number; headers: globalThis.Headers; body: any }> {
  const answer = await fetch(`${fixture.service.url}${path}`, { headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

const reader = (who: Principal): Headers => ({ 'X-Api-Key': who.keys.read });
const list = (query = '', headers = reader(ada)) => get(`/v1/actions${query}`, headers);

/** All pages of a list. */
async function all(query: string, headers = reader(ada)): Promise<{ data: any[]; pages: number }> {
  const data: any[] = [];
  let cursor = '';
  for (let pages = 1; pages < 200; pages += 1) {
    const { status, body } = await list(`?${query}${cursor}`, headers);
    expect(status).toBe(200);
    data.push(...body.data);
    if (body.next_page === null) return { data, pages };
    cursor = `&cursor=${body.next_page}`;
  }
  throw new Error('The list has no end');
}

/** What the list should show of an action, by the read of the one action. */
async function listedOf(actionId: string, headers: Headers): Promise<object> {
  const { body } = await get(`/v1/actions/${actionId}`, headers);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_LISTED.includes(name)));
}

async function handIn(who: Principal, key: string, action: any, hash: string): Promise<void> {
  const answer = await fetch(`${fixture.service.url}/v1/actions/${action.action_id}/submissions`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ transaction_hash: hash }),
  });
  expect([who.accountId, answer.status]).toEqual([who.accountId, 200]);
}

/** Signs a payment, takes it to the chain and tells the service. */
async function pay(action: any): Promise<void> {
  const { transaction } = await fixture.sign(ada, action, ada.keys.buyer);
  const hash = await fixture.chain.send(transaction.to, transaction.data);
  await handIn(ada, ada.keys.buyer, action, hash);
}

/** Lets the chain say of our hashes that their transactions wait, or failed; each carries the id of its action. */
function tellOf(actions: { failed: string; submitted: string }): void {
  fixture.rpc.tamper = ({ method, params }: RpcCall, answer: any) => {
    const [hash] = params;
    const kind = hash === HASHES.failed ? 'failed' : hash === HASHES.submitted ? 'submitted' : null;
    if (kind === null) return answer;
    if (method === 'eth_getTransactionByHash') return { ...answer, result: { hash, input: actions[kind] } };
    if (method !== 'eth_getTransactionReceipt') return answer;
    return {
      ...answer,
      result: kind === 'submitted' ? null : { transactionHash: hash, status: '0x0', blockNumber: '0x1' },
    };
  };
}

describe('the list of actions', () => {
  /** One action in each status, by status. */
  const made: Record<string, any> = {};
  const hashOf = async ({ action_id: id }: any): Promise<string> => {
    const [row] = await fixture.service.rows<{ hash: string }>(
      'SELECT action_id_hash AS hash FROM prepared_actions WHERE id = $1',
      [id],
    );
    return row!.hash;
  };

  beforeAll(async () => {
    const early = await fixture.payment(ada, bob);
    await pay(early);
    await fixture.service.index();
    await fixture.chain.anvil.rpc('anvil_mine', `0x${(FINAL_AFTER_BLOCKS + 1).toString(16)}`);
    await fixture.service.index();
    made['final'] = early;
    made['expired'] = await fixture.publication(ada);
    await fixture.service.rows(`UPDATE prepared_actions SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      made['expired'].action_id,
    ]);
    const payment = await fixture.payment(ada, bob);
    made['superseded'] = await fixture.call(ada.keys.buyer, `/v1/tasks/${payment.task_id}/funding-intents`);
    await pay(payment);
    await fixture.service.index();
    made['confirmed'] = payment;
    made['prepared'] = await fixture.publication(ada);
    made['opened'] = await fixture.publication(ada);
    await fixture.open(made['opened']);
    made['declined'] = await fixture.publication(ada);
    const { browser } = await fixture.open(made['declined']);
    await ask(browser, `${made['declined'].signing_url}/decline`, { body: {} });
    made['signed'] = await fixture.publication(ada);
    await fixture.sign(ada, made['signed'], ada.keys.buyer);
    for (const status of ['failed', 'submitted', 'unknown'] as const) {
      made[status] = await fixture.publication(ada);
      await handIn(ada, ada.keys.buyer, made[status], HASHES[status]);
    }
    tellOf({ failed: await hashOf(made['failed']), submitted: await hashOf(made['submitted']) });
  });

  it('shows every action as a read of it does, without what is signed, newest first', async () => {
    const { data } = await all('limit=100');
    expect(data.length).toBeGreaterThanOrEqual(15);
    for (const [status, action] of Object.entries(made)) {
      const shown = data.find((one) => one.action_id === action.action_id);
      expect([status, shown.status]).toEqual([status, status]);
    }
    for (const { created_at: createdAt, ...shown } of data) {
      expect(shown).toEqual(await listedOf(shown.action_id, reader(ada)));
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    }
    const ids: string[] = data.map((one) => one.action_id);
    expect(ids).toEqual([...ids].sort().reverse());
    const [{ count }] = (await fixture.service.rows<{ count: number }>(
      'SELECT count(*)::integer AS count FROM prepared_actions WHERE account_id = $1',
      [ada.accountId],
    )) as [{ count: number }];
    expect(ids.length).toBe(count);
  });

  it('of one status is that part of the whole, whatever the size of its pages', async () => {
    const whole = (await all('limit=100')).data;
    expect(new Set(whole.map(({ status }) => status))).toEqual(new Set(ACTION_STATUSES));
    for (const status of ACTION_STATUSES) {
      const part = whole.filter((action) => action.status === status);
      for (const limit of [1, 3, 100]) {
        expect([status, limit, (await all(`status=${status}&limit=${limit}`)).data]).toEqual([status, limit, part]);
      }
    }
    expect((await all('limit=4')).data).toEqual(whole);
  });

  it('holds the link for a credential with the scope that prepared the action, and for no other', async () => {
    const { token } = await tokens.issue(ada.accountId, { scopes: ['read', 'buyer'] });
    const both = { Authorization: `Bearer ${token}` };
    const { data } = await all('limit=100', both);
    const prepared = data.find(({ action_id: id }) => id === made['prepared'].action_id);
    expect(prepared.signing_url).toBe(made['prepared'].signing_url);
    for (const { created_at: _, ...shown } of data) expect(shown).toEqual(await listedOf(shown.action_id, both));
    for (const credential of [
      reader(ada),
      { Authorization: `Bearer ${(await tokens.issue(ada.accountId, { scopes: ['read', 'worker'] })).token}` },
    ]) {
      for (const shown of (await all('limit=100', credential)).data) expect(shown).not.toHaveProperty('signing_url');
    }
  });

  it('says nothing to others, not even by a cursor', async () => {
    const ids = new Set((await all('limit=100')).data.map(({ action_id: id }) => id));
    const theirs = (await all('limit=100', reader(bob))).data;
    expect(theirs.length).toBeGreaterThan(0);
    expect(theirs.filter(({ action_id: id, principal }) => ids.has(id) || principal !== bob.accountId)).toEqual([]);
    const stranger = await fixture.principal('Stranger');
    expect((await list('', reader(stranger))).body).toEqual({ data: [], next_page: null });
    const { next_page: cursor } = (await list('?limit=1')).body;
    for (const [query, who] of [
      [`?limit=1&cursor=${cursor}`, bob],
      [`?limit=1&status=prepared&cursor=${cursor}`, ada],
    ] as const) {
      const refused = await list(query, reader(who));
      expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it.each([
    '?status=',
    '?status=Prepared',
    '?status=done',
    '?status=prepared&status=signed',
    '?state=prepared',
    '?limit=101',
  ])('refuses %s', async (query) => {
    const { status, body } = await list(query);
    expect([status, ['invalid_parameter', 'unknown_parameter'].includes(body.error.code)]).toEqual([400, true]);
  });

  it('is 304 while nothing changes, kept by no cache, and another page once something has', async () => {
    const first = await list('?limit=3');
    expect([first.headers.get('cache-control'), first.headers.get('poll-interval')]).toEqual(['no-store', '15']);
    const condition = { 'If-None-Match': first.headers.get('etag')! };
    expect((await list('?limit=3', { ...reader(ada), ...condition })).status).toBe(304);
    expect((await list('?limit=3', { ...reader(bob), ...condition })).status).toBe(200);
    await fixture.publication(ada);
    const changed = await list('?limit=3', { ...reader(ada), ...condition });
    expect([changed.status, changed.headers.get('etag') === first.headers.get('etag')]).toEqual([200, false]);
  });

  it('follows the time alone', async () => {
    const action = await fixture.publication(ada);
    const isIn = async (status: string): Promise<boolean> =>
      (await all(`status=${status}&limit=100`)).data.some(({ action_id: id }) => id === action.action_id);
    expect([await isIn('prepared'), await isIn('expired')]).toEqual([true, false]);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    expect([await isIn('prepared'), await isIn('expired')]).toEqual([false, true]);
  });

  it('is answered while the chain is away, and then does not know what only the chain does', async () => {
    fixture.rpc.mode = 'refuse';
    const { data } = await all('limit=100');
    const statusOf = (kind: string) => data.find(({ action_id: id }) => id === made[kind].action_id).status;
    expect(['final', 'confirmed', 'signed', 'declined', 'superseded', 'prepared'].map(statusOf)).toEqual([
      'final',
      'confirmed',
      'signed',
      'declined',
      'superseded',
      'prepared',
    ]);
    expect(['failed', 'submitted', 'unknown'].map(statusOf)).toEqual(['unknown', 'unknown', 'unknown']);
  });
});

it('asks the chain about a few transactions of a page, however many were handed in', async () => {
  const cara = await fixture.principal('Cara');
  const hashes = Array.from({ length: ASKED_AT_MOST + 4 }, (_, n) => `0x${String(n).padStart(64, 'c')}`);
  const actions = [];
  for (const hash of hashes) {
    const action = await fixture.publication(cara);
    await handIn(cara, cara.keys.buyer, action, hash);
    actions.unshift(action.action_id);
  }
  fixture.clock.aheadMs = 121_000;
  const before = fixture.rpc.calls.length;
  const { body } = await list('?limit=100', reader(cara));
  expect(body.data.map(({ action_id: id }: any) => id)).toEqual(actions);
  // After two minutes a hash that the chain does not know says nothing; of the others nobody has asked.
  expect(body.data.map(({ status }: any) => status)).toEqual([
    ...Array.from({ length: ASKED_AT_MOST }, () => 'prepared'),
    ...Array.from({ length: 4 }, () => 'unknown'),
  ]);
  // The service may ask for the newest block meanwhile.
  const asked = new Set(fixture.rpc.calls.slice(before).map(({ params: [hash] }) => hash));
  expect(hashes.filter((hash) => asked.has(hash))).toHaveLength(ASKED_AT_MOST);
});

it('of a status is looked for among so many actions a page, which may then be empty, and is found in the end', async () => {
  const dora = await fixture.principal('Dora');
  const declined = await fixture.publication(dora);
  const { browser } = await fixture.open(declined);
  await ask(browser, `${declined.signing_url}/decline`, { body: {} });
  await copies(declined.action_id, 2 * LOOKED_AT, `'declined_at', NULL, 'declined_by', NULL`);
  const first = await list('?status=declined&limit=10', reader(dora));
  expect(first.body).toEqual({ data: [], next_page: expect.any(String) });
  const { data, pages } = await all('status=declined&limit=10', reader(dora));
  expect([data.map(({ action_id: id }) => id), pages]).toEqual([[declined.action_id], 3]);
});

it('reads its indexes alone, in their order, also of an account that has most of all actions', async () => {
  const eve = await fixture.principal('Eve');
  const { action_id: id } = await fixture.publication(eve);
  await copies(id, 20_000, `'is_kept', n % 10 > 0, 'kind', 'kind ' || n % 13`);
  await fixture.service.rows('ANALYZE prepared_actions');
  const { dataSource } = fixture.service;
  for (const [part, index] of [
    ['all', 'prepared_actions_account_id_id_idx'],
    ['open', 'prepared_actions_open_account_id_id_idx'],
  ] as const) {
    const { text } = actionListStatement(26, part);
    const plan = await planOf(dataSource, text, [eve.accountId, AFTER_ALL_ACTIONS]);
    expect(plan.scans).toEqual([`Index Scan Backward using ${index} on prepared_actions`]);
    expect(plan.nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
  }
  const standings = await planOf(dataSource, LISTED_STANDINGS.text, [['task'], ['node'], ['1']]);
  expect(standings.scans.sort()).toEqual([
    'Index Scan using escrow_nodes_pkey on escrow_nodes',
    'Index Scan using escrow_nodes_task_id_path_key on escrow_nodes',
    'Index Scan using tasks_pkey on tasks',
  ]);
});

/** Makes so many copies of an action, newer than all others. @param change SQL of members to change, by the number `n`. */
async function copies(id: string, count: number, change: string): Promise<void> {
  // In parts, each within the time that a statement has on a busy machine.
  for (let from = 1; from <= count; from += COPIES_AT_ONCE) {
    await fixture.service.rows(
      `INSERT INTO prepared_actions
        SELECT (jsonb_populate_record(one, jsonb_build_object('id', 'act_z' || left(md5(one.id), 16) || lpad(n::text, 9, '0'),
          'action_id_hash', one.id || n, 'signing_token_hash', '\\x' || md5(one.id || n), 'told_status', NULL, ${change}))).*
        FROM prepared_actions one, generate_series($2::integer, $3::integer) n WHERE one.id = $1`,
      [id, from, Math.min(count, from + COPIES_AT_ONCE - 1)],
    );
  }
}

import { EVENT_TYPES } from '../../../src/modules/events/catalogue/event-types.js';
import { ActionFollower } from '../../../src/modules/prepared-actions/following/action-follower.js';
import {
  AWAITED,
  DEEP,
  DUE,
  FOLLOWED_WORK,
  OF_TREE,
  SENT,
} from '../../../src/modules/prepared-actions/following/followed-actions.sql.js';
import { LISTS } from '../../../src/platform/database/reads/read-connections.js';
import { eventually } from '../../support/eventually.js';
import { BUYER } from '../../support/market-rows.js';
import { costOf } from '../../support/query-plan.js';
import { ReadSide } from '../../support/read-side.js';
import { ask, type Principal, SigningFixture } from '../../support/signing-fixture.js';
import { vacuumed } from '../../support/vacuumed.js';

/** Every event of a prepared action, provoked over HTTP, on the chain and by time, and read over HTTP. */
const EXPIRY_MS = 901_000;
/** Blocks from which on an execution is final, and one more. */
const FINAL = '0x709';
const GAS = '0x2dc6c0';
/** Enough to begin the call and too little to end it. */
const LITTLE_GAS = '0xc350';

const ACTION_TYPES = EVENT_TYPES.filter((type) => type.startsWith('action.'));

let fixture: SigningFixture;
let buyer: Principal;
let worker: Principal;
let relayer: string;
/** Types that a test of this file has provoked and read. */
const provoked = new Set<string>();

beforeAll(async () => {
  fixture = await SigningFixture.start({ environment: { indexerEnabled: true } });
  [buyer, worker] = [await fixture.principal('Buyer'), await fixture.principal('Worker')];
  relayer = (await rpc<string[]>('eth_accounts'))[1]!;
});
afterEach(async () => {
  fixture.clock.aheadMs = 0;
  await rpc('evm_setAutomine', true);
});
afterAll(() => fixture?.stop());

const rpc = <Result>(method: string, ...values: unknown[]): Promise<Result> =>
  fixture.chain.anvil.rpc(method, ...values);

async function eventsOf(who: Principal, actionId: string): Promise<any[]> {
  const ofActions = `${fixture.service.url}/v1/events?limit=100&types=${ACTION_TYPES.join()}`;
  const answer = await fetch(ofActions, { headers: { 'X-Api-Key': who.keys.read } });
  const { data } = (await answer.json()) as { data: any[] };
  return data.filter(({ subject }) => subject.id === actionId);
}

/** Waits until exactly these types have been told of the action, in this order. */
async function told(who: Principal, { action_id: id }: { action_id: string }, ...types: string[]): Promise<any[]> {
  let events: any[] = [];
  await eventually(async () => {
    events = await eventsOf(who, id);
    return events.length >= types.length;
  }).catch(() => undefined);
  expect(events.map(({ type }) => type.replace('action.', ''))).toEqual(types);
  for (const { type } of events) provoked.add(type);
  // Each begins where the one before has ended.
  const steps = events.map(({ data }) => data.status);
  expect(steps.map(({ from }) => from)).toEqual([undefined, ...steps.slice(0, -1).map(({ to }) => to)]);
  return events;
}

/** Sends the call that the answer to a signature has, from an account that is no party. */
async function send({ transaction }: any, gas = GAS): Promise<string> {
  const { to, data } = transaction;
  return rpc('eth_sendTransaction', { from: relayer, to, data, gas });
}

const handIn = (who: Principal, action: any, key: string, hash: string): Promise<any> =>
  fixture.call(key, `/v1/actions/${action.action_id}/submissions`, { transaction_hash: hash });

it('tells its account alone that it was prepared, opened and declined', async () => {
  const action = await fixture.publication(buyer);
  const { browser } = await fixture.open(action);
  await ask(browser, `${action.signing_url}/decline`, { body: {} });
  const [prepared, opened, declined] = await told(buyer, action, 'prepared', 'opened', 'declined');
  expect(prepared).toMatchObject({
    subject: { kind: 'action', id: action.action_id, task_id: action.task_id },
    data: { status: { to: 'prepared' }, kind: 'create_task', expires_at: action.expires_at },
    links: { resource: `/v1/actions/${action.action_id}` },
  });
  expect(await eventsOf(worker, action.action_id)).toEqual([]);
  // Neither what is signed nor where it is signed.
  expect(JSON.stringify([prepared, opened, declined])).not.toMatch(/Translate|signing|payload|"0x/);
});

it('tells what signatures and blocks have made of it, of kinds with and without a call', async () => {
  const payment = await fixture.payment(buyer, worker);
  const signed = await fixture.sign(buyer, payment, buyer.keys.buyer);
  await rpc('evm_setAutomine', false);
  const hash = await send(signed);
  expect((await handIn(buyer, payment, buyer.keys.buyer, hash)).status).toBe('submitted');
  await told(buyer, payment, 'prepared', 'signed', 'submitted');
  await rpc('evm_mine');
  const [, , , confirmed] = await told(buyer, payment, 'prepared', 'signed', 'submitted', 'confirmed');
  expect(confirmed.data.transaction_hash).toBe(hash);
  // The creation and the selection were carried out by the payment.
  let kinds: string[] = [];
  await eventually(async () => {
    const answer = await fetch(`${fixture.service.url}/v1/events?types=action.confirmed&task_id=${payment.task_id}`, {
      headers: { 'X-Api-Key': buyer.keys.read },
    });
    const { data } = (await answer.json()) as { data: any[] };
    kinds = data.map((event) => event.data.kind);
    return kinds.length >= 3;
  }).catch(() => undefined);
  expect(kinds.toSorted()).toEqual(['create_task', 'fund_task', 'select_agent']);
  await rpc('anvil_mine', FINAL);
  await told(buyer, payment, 'prepared', 'signed', 'submitted', 'confirmed', 'finalized');
  // Nothing more comes, however often it is looked at.
  for (let rounds = 0; rounds < 3; rounds += 1) await fixture.service.get(ActionFollower).follow();
  await told(buyer, payment, 'prepared', 'signed', 'submitted', 'confirmed', 'finalized');
});

it('tells a transaction that failed, and one that came after it', async () => {
  const payment = await fixture.payment(buyer, worker);
  const signed = await fixture.sign(buyer, payment, buyer.keys.buyer);
  await rpc('evm_setAutomine', false);
  const lost = await send(signed, LITTLE_GAS);
  await handIn(buyer, payment, buyer.keys.buyer, lost);
  await told(buyer, payment, 'prepared', 'signed', 'submitted');
  await rpc('evm_mine');
  const [, , , failed] = await told(buyer, payment, 'prepared', 'signed', 'submitted', 'failed');
  expect(failed.data.transaction_hash).toBe(lost);
  const second = await send(signed);
  expect((await handIn(buyer, payment, buyer.keys.buyer, second)).status).toBe('submitted');
  await rpc('evm_mine');
  const events = await told(buyer, payment, 'prepared', 'signed', 'submitted', 'failed', 'submitted', 'confirmed');
  expect(events.at(-1).data.transaction_hash).toBe(second);
});

it('tells of a transaction that the chain comes to know only after its hash was handed in', async () => {
  const [ada, bob] = [await fixture.principal('Ada'), await fixture.principal('Bob')];
  const payment = await fixture.payment(ada, bob);
  const signed = await fixture.sign(ada, payment, ada.keys.buyer);
  await rpc('evm_setAutomine', false);
  const lost = await send(signed, LITTLE_GAS);
  // The node that the service asks is a moment behind the one that has the transaction.
  const asksFor = (method: string) => method === 'eth_getTransactionByHash' || method === 'eth_getTransactionReceipt';
  fixture.rpc.tamper = ({ method }, answer) => (asksFor(method) ? { ...answer, result: null } : answer);
  await handIn(ada, payment, ada.keys.buyer, lost);
  await rpc('evm_mine');
  fixture.rpc.tamper = (_call, answer) => answer;
  const [, , failed] = await told(ada, payment, 'prepared', 'signed', 'failed');
  expect(failed.data.transaction_hash).toBe(lost);
});

it('tells of it also where more hashes than are looked at together came in the same millisecond', async () => {
  const [ada, bob] = [await fixture.principal('Ada'), await fixture.principal('Bob')];
  const payment = await fixture.payment(ada, bob);
  const signed = await fixture.sign(ada, payment, ada.keys.buyer);
  await rpc('evm_setAutomine', false);
  const hash = await send(signed);
  const ids = Array.from({ length: 12 }, (_, number) => `a_${number}`);
  // As if all had been handed in at once, and the chain had known none of the hashes.
  await fixture.service.rows(
    `INSERT INTO prepared_actions SELECT (jsonb_populate_record(one, jsonb_build_object('id', copy, 'action_id_hash', copy,
        'signing_token_hash', '\\x' || md5(copy), 'transaction_hash', $3::text, 'submitted_at', $4::timestamptz,
        'is_awaited', true))).*
      FROM prepared_actions one, unnest($2::text[]) AS copy WHERE one.id = $1`,
    [payment.action_id, ids, `0x${'5e'.repeat(32)}`, new Date(fixture.clock.nowMs())],
  );
  await fixture.service.rows(
    `UPDATE prepared_actions SET is_awaited = true, transaction_hash = $2, submitted_at = (SELECT submitted_at FROM prepared_actions
      WHERE id = 'a_0') WHERE id = $1`,
    [payment.action_id, hash],
  );
  await told(ada, payment, 'prepared', 'signed', 'submitted');
  await fixture.service.rows('DELETE FROM prepared_actions WHERE id = ANY ($1)', [ids]);
  await rpc('evm_mine');
  await told(ada, payment, 'prepared', 'signed', 'submitted', 'confirmed');
});

it('tells that another one took its place, and that its time is over', async () => {
  const payment = await fixture.payment(buyer, worker);
  const again = await fixture.call(buyer.keys.buyer, `/v1/tasks/${payment.task_id}/funding-intents`);
  const late = await fixture.publication(buyer);
  await send(await fixture.sign(buyer, payment, buyer.keys.buyer));
  await told(buyer, payment, 'prepared', 'signed', 'confirmed');
  await told(buyer, again, 'prepared', 'superseded');
  await told(buyer, late, 'prepared');
  fixture.clock.aheadMs = EXPIRY_MS;
  await told(buyer, late, 'prepared', 'expired');
  await told(buyer, again, 'prepared', 'superseded');
});

it('tells that a block which had executed it is gone, once nobody waits for its transaction any more', async () => {
  const payment = await fixture.payment(buyer, worker);
  const signed = await fixture.sign(buyer, payment, buyer.keys.buyer);
  const hash = await send(signed);
  await handIn(buyer, payment, buyer.keys.buyer, hash);
  await eventually(async () =>
    (await eventsOf(buyer, payment.action_id)).some(({ type }) => type === 'action.confirmed'),
  );
  await rpc('anvil_reorg', 1, []);
  await rpc('evm_mine');
  await eventually(async () => (await fixture.readAction(buyer, payment.action_id)).status !== 'confirmed');
  // Its transaction is gone with the block: it may still be on its way somewhere for two minutes.
  fixture.clock.aheadMs = 130_000;
  await eventually(async () => (await eventsOf(buyer, payment.action_id)).at(-1).type === 'action.signed');
  const back = (await eventsOf(buyer, payment.action_id)).at(-1);
  expect(back.data.status).toEqual({ from: 'confirmed', to: 'signed' });
});

it('tells of all others while one cannot be judged, and of that one once it can', async () => {
  const [ada, bob] = [await fixture.principal('Ada'), await fixture.principal('Bob')];
  const payments = [await fixture.payment(ada, bob), await fixture.payment(ada, bob)];
  const [broken] = await fixture.service.rows<{ id: string; payload: object }>(
    `SELECT id, payload FROM prepared_actions WHERE task_id = $1 AND kind = 'select_agent'`,
    [payments[0].task_id],
  );
  const replace = (payload: object) =>
    fixture.service.rows('UPDATE prepared_actions SET payload = $2 WHERE id = $1', [broken!.id, payload]);
  await replace({});
  // Trees with such an action, noted before the payments: more than fail before a look ends. And in a tree of a payment more
  // such actions, before all others, than are judged at once.
  const trees = Array.from({ length: 8 }, (_, number) => `task_${number}`);
  const ids = Array.from({ length: 108 }, (_, number) => `a_${number}`);
  await fixture.service.rows(
    `WITH noted AS (INSERT INTO action_looks (task_id) SELECT unnest($2::text[]))
      INSERT INTO prepared_actions SELECT (jsonb_populate_record(one, jsonb_build_object('id', copy.id,
        'task_id', coalesce(tree, one.task_id), 'action_id_hash', copy.id, 'signing_token_hash', '\\x' || md5(copy.id)))).*
      FROM prepared_actions one, unnest($3::text[], $2::text[]) AS copy (id, tree) WHERE one.id = $1`,
    [broken!.id, trees, ids],
  );
  for (const payment of payments) await send(await fixture.sign(ada, payment, ada.keys.buyer));
  for (const payment of payments) await told(ada, payment, 'prepared', 'signed', 'confirmed');
  await fixture.service.rows('DELETE FROM prepared_actions WHERE id = ANY ($1)', [ids]);
  await replace(broken!.payload);
  await told(ada, { action_id: broken!.id }, 'prepared', 'signed', 'confirmed');
});

it('tells of all others while nobody knows what becomes of some whose block is gone', async () => {
  const [ada, bob] = [await fixture.principal('Ada'), await fixture.principal('Bob')];
  const payment = await fixture.payment(ada, bob);
  const signed = await fixture.sign(ada, payment, ada.keys.buyer);
  // Trees that are noted more often than notes are read together, and of whose transactions the node says nothing.
  const gone = `0x${'5e'.repeat(32)}`;
  fixture.rpc.tamper = ({ params: [hash] }, { id, ...answer }) =>
    hash === gone ? { jsonrpc: '2.0', id, error: { code: -32_000, message: 'away' } } : { id, ...answer };
  const trees = Array.from({ length: 5 }, (_, number) => `task_gone_${number}`);
  await fixture.service.rows(
    `WITH noted AS (INSERT INTO action_looks (task_id)
        SELECT task_id FROM unnest($2::text[]) AS task_id, generate_series(1, 102))
      INSERT INTO prepared_actions SELECT (jsonb_populate_record(one, jsonb_build_object('id', copy, 'task_id', copy,
        'action_id_hash', copy, 'signing_token_hash', '\\x' || md5(copy), 'told_status', 'confirmed', 'told_block', 1000000,
        'transaction_hash', $3::text, 'submitted_at', $4::timestamptz))).*
      FROM prepared_actions one, unnest($2::text[]) AS copy WHERE one.id = $1`,
    [payment.action_id, trees, gone, new Date(fixture.clock.nowMs())],
  );
  await send(signed);
  await told(ada, payment, 'prepared', 'signed', 'confirmed');
  fixture.rpc.tamper = (_call, answer) => answer;
  await fixture.service.rows('DELETE FROM prepared_actions WHERE id = ANY ($1)', [trees]);
});

it('tells nothing of an action from before there were events', async () => {
  const action = await fixture.publication(buyer);
  await told(buyer, action, 'prepared');
  await fixture.service.rows('UPDATE prepared_actions SET told_status = NULL WHERE id = $1', [action.action_id]);
  fixture.clock.aheadMs = EXPIRY_MS;
  await fixture.service.get(ActionFollower).follow();
  await told(buyer, action, 'prepared');
});

describe('a look at what may have changed', () => {
  let side: ReadSide;
  const ACTIONS = 20_000;
  const SOON = '2027-01-01T00:00:00Z';

  beforeAll(async () => {
    side = await ReadSide.create();
    await side.fill(
      `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, task_id, chain_id,
          escrow_address, nonce, request_digest, payload, signing_token_hash, signing_token_sealed, created_at, expires_at,
          valid_until, told_status, told_block, transaction_hash, submitted_at, is_awaited)
        SELECT 'act_' || i, 'hash ' || i, 'fund_task', 'buyer', '${BUYER}', '', 'task_' || i / 50, 31337, '', i, '', '{}',
          decode(lpad(i::text, 64, '0'), 'hex'), '\\x00', now(), '${SOON}'::timestamptz + i * interval '1 minute',
          '${SOON}'::timestamptz + i * interval '1 minute',
          (ARRAY['prepared', 'signed', 'submitted', 'confirmed', 'final', 'expired'])[1 + i % 6], i,
          CASE WHEN i % 2 = 0 THEN 'hash' END, '${SOON}'::timestamptz - i * interval '1 second', i % 8 = 0
        FROM generate_series(1, ${ACTIONS}) i`,
    );
    await side.fill(
      `INSERT INTO chain_blocks (number, hash, parent_hash, timestamp) VALUES (1860, '0x1', '0x0', '${SOON}')`,
    );
    await vacuumed(side.dataSource);
  }, 120_000);
  afterAll(() => side?.close());

  it.each([
    ['a tree', OF_TREE, ['task_7', '']],
    ['what is due', DUE, ['1970-01-01T00:00:00Z', '2027-01-01T01:00:00Z', '']],
    ['what is due where all is', DUE, ['1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z', '']],
    ['what is deep', DEEP, []],
    ['what was sent', SENT, ['act_1']],
    ['what was handed in', AWAITED, ['1970-01-01T00:00:00Z', '']],
    ['what there is to look at', FOLLOWED_WORK, [SOON]],
  ])('of %s reads that alone, however many actions there are', async (_, { text }, values) => {
    const { scanned, buffers, rows } = await costOf(side.dataSource, text, values, LISTS.settings);
    expect([scanned, buffers <= 150, rows > 0]).toEqual([[], true, true]);
  });
});

it('no type of an action is in the catalogue that nothing here has provoked', () => {
  expect([...provoked].sort()).toEqual(ACTION_TYPES.toSorted());
});

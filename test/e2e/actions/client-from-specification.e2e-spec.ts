import { type Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, USDC } from '../../support/e2e/intents-scenario.js';
import { type Intent, SpecClient, sha256 } from '../../support/e2e/spec-client.js';

/**
 * A client written from docs/decisions alone (test/support/e2e/spec-client.ts) gets every kind of answer: it must
 * accept the true one, and refuse every answer that differs anywhere.
 */
interface Exchange {
  client: SpecClient;
  intent: Intent;
  action: any;
}

/** Every kind of action, and every way in which a kind is signed. */
const CASES = [
  'create_task',
  'create_task with an arbiter',
  'submit_quote',
  'submit_quote under a node',
  'submit_quote under a node, for a hirer that pays',
  'select_agent',
  'fund_task by authorization',
  'fund_task by allowance',
  'fund_task by permit',
  'fund_task by refund balance',
  "subcontract out of the parent's money",
  'subcontract by authorization',
  'subcontract by allowance',
  'deliver',
  'deliver, to be paid by a withdrawal',
  'resolve_task',
  'resolve_task of a child',
  'reject_task',
  'reject_task of a child',
  'dispute_node',
  'claim_non_delivery',
  'abandon_node',
  'withdraw_earnings',
  'withdraw_refund',
] as const;
/** Members that a token's permit does not contain, so that its signature does not commit to them. */
const NOT_IN_A_PERMIT = ['nonce', 'action_id', 'request_digest'];
/**
 * Members that an answer may lack. A client can sign without the calls; and if a call before the action (deployment,
 * approval) is missing, the action either does what it says or fails.
 */
const MAY_BE_ABSENT = ['payload.transaction', 'payload.calls', 'payload.calls.0'];
/** Members that were added later. An older client ignores them, and they say nothing that the payload does not say. */
const ADDED = ['match_code'];

let market: IntentsMarket;
let scenario: IntentsScenario;
const seen = new Map<string, Exchange>();

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  await gather();
});
afterAll(() => market?.stop());

const exchangeOf = (name: string): Exchange => seen.get(name)!;

/** Sends the intent, and stores it with the answer and a client whose clock stands at this moment. */
async function keep(name: (typeof CASES)[number], who: Actor, intent: Intent): Promise<Intent> {
  const { nowMs } = market;
  const client = new SpecClient({ ...market.facts, nowMs: () => nowMs }, who.client.self);
  const { status, body } = await client.send(intent);
  expect([name, status, body.error]).toEqual([name, 200, undefined]);
  seen.set(name, { client, intent, action: intent.kind === 'deliver' ? body.prepared_action : body });
  return intent;
}

async function gather(): Promise<void> {
  const buyer = await market.actor('Client buyer');
  const worker = await market.actor('Client worker');
  const child = await market.actor('Client child');
  const arbiter = (await market.actor('Client arbiter')).wallet;
  const evidence = sha256('evidence');
  const now = market.nowSeconds;
  const offering = { price: 7_000_001n, workSeconds: 3 * DAY, validUntil: now + DAY };

  await keep('create_task', buyer, buyer.intents.createTask(scenario.taskBody()));
  await keep(
    'create_task with an arbiter',
    buyer,
    buyer.intents.createTask(scenario.taskBody({ arbiter, criteria: [] })),
  );

  const task = await scenario.task(buyer, { arbiter });
  await keep('submit_quote', worker, worker.intents.submitQuote({ task, ...offering }));
  const offer = await scenario.offer(buyer, worker, task);
  await keep('select_agent', buyer, buyer.intents.selectAgent(offer));
  await market.sign(buyer, buyer.intents.selectAgent(offer));
  const fundedBy = async (mode: 'authorization' | 'allowance' | 'permit' | 'refund_balance') =>
    buyer.intents.fundTask(offer, await scenario.paying(buyer, mode));
  await keep('fund_task by authorization', buyer, await fundedBy('authorization'));
  await scenario.deploy(task);
  await keep('fund_task by allowance', buyer, await fundedBy('allowance'));
  await keep('fund_task by permit', buyer, await fundedBy('permit'));
  await scenario.fund(offer, 'authorization', 'signed');

  const under = { parent: offer, price: 10n * USDC };
  await keep('submit_quote under a node', child, child.intents.submitQuote({ task, ...offering, parent: offer }));
  const paid = { ...offering, parent: offer, hirerFunded: true };
  await keep('submit_quote under a node, for a hirer that pays', child, child.intents.submitQuote({ task, ...paid }));
  const below = await scenario.offer(worker, child, task, under);
  const parentMoney = worker.intents.subcontract(below, below.quoteId);
  await keep("subcontract out of the parent's money", worker, parentMoney);
  const independent = await scenario.offer(worker, child, task, { ...under, hirerFunded: true });
  for (const mode of ['authorization', 'allowance'] as const) {
    const intent = worker.intents.subcontract(independent, independent.quoteId, { mode });
    await keep(`subcontract by ${mode}`, worker, intent);
  }
  await market.perform(worker, parentMoney, 'signed');
  const ofChild = await scenario.deliver(below);
  await keep('resolve_task of a child', worker, worker.intents.resolve(below, ofChild));
  await keep('reject_task of a child', worker, worker.intents.reject(below, ofChild));
  await market.perform(worker, worker.intents.resolve(below, ofChild), 'signed');
  const work = await worker.client.upload('All of it');
  await keep('deliver', worker, worker.intents.deliver(offer, work));
  await keep('deliver, to be paid by a withdrawal', worker, worker.intents.deliver(offer, work, false));
  const hash = await scenario.deliver(offer);
  await keep('resolve_task', buyer, buyer.intents.resolve(offer, hash));
  await keep('reject_task', buyer, buyer.intents.reject(offer, hash, 'Not all of it – "naïve" is missing'));
  await market.perform(buyer, buyer.intents.reject(offer, hash, 'No.'), 'signed');
  await keep('dispute_node', worker, worker.intents.dispute(offer, evidence));
  await market.perform(buyer, buyer.intents.resolve(offer, hash), 'signed');
  await keep('withdraw_earnings', child, child.intents.withdrawEarnings(below, arbiter, 10n * USDC));

  const second = await scenario.funded(buyer, worker);
  await keep('abandon_node', worker, worker.intents.abandon(second));
  await market.perform(worker, worker.intents.abandon(second), 'signed');
  await keep('withdraw_refund', buyer, buyer.intents.withdrawRefund(second.task, buyer.wallet, 100n * USDC));
  const again = await scenario.selected(buyer, child, second.task);
  await keep('fund_task by refund balance', buyer, buyer.intents.fundTask(again, { mode: 'refund_balance' }));

  const late = await scenario.funded(buyer, worker);
  await market.travel(11 * DAY);
  await keep('claim_non_delivery', worker, worker.intents.claimNonDelivery(late));
}

describe.each(CASES)('%s', (name) => {
  it('is exactly what the client has computed for itself', () => {
    const { client, intent, action } = exchangeOf(name);
    expect(client.faults(intent, action)).toEqual([]);
  });

  it('is refused when any member of it is changed', () => {
    const { client, intent, action } = exchangeOf(name);
    const isPermit = action.payload.primaryType === 'Permit';
    const uncaught = leavesOf(action)
      .filter((path) => !ADDED.includes(path))
      .filter((path) => !(isPermit && NOT_IN_A_PERMIT.includes(path)))
      .filter((path) => client.faults(intent, changed(action, path)).length === 0);
    expect(uncaught).toEqual([]);
  });

  it('is refused when any member of it is missing', () => {
    const { client, intent, action } = exchangeOf(name);
    const uncaught = branchesOf(action)
      .filter((path) => !ADDED.includes(path))
      .filter((path) => !MAY_BE_ABSENT.includes(path))
      .filter((path) => client.faults(intent, without(action, path)).length === 0);
    expect(uncaught).toEqual([]);
  });

  it('is refused in place of the answer to any other request', () => {
    const { action } = exchangeOf(name);
    const taken = [...seen]
      .filter(([other]) => other !== name)
      .filter(([, { client, intent }]) => client.faults(intent, action).length === 0)
      .map(([other]) => other);
    expect(taken).toEqual([]);
  });

  it('is refused when only its kind is another one', () => {
    const { client, intent, action } = exchangeOf(name);
    const kinds = new Set(['unheard_of', ...[...seen.values()].map((other) => other.intent.kind)]);
    kinds.delete(intent.kind);
    for (const kind of kinds) expect(client.faults(intent, { ...action, kind })).toEqual(['kind']);
  });
});

it('asks for every kind there is', () => {
  expect([...seen.keys()].toSorted()).toEqual([...CASES].toSorted());
  expect(new Set([...seen.values()].map(({ intent }) => intent.kind)).size).toBe(13);
});

it('finds the address of each escrow as the factory does', async () => {
  const { action } = exchangeOf('create_task with an arbiter');
  const deployed = await market.stack.chain.anvil.rpc('eth_getCode', action.escrow_address, 'latest');
  expect(deployed).toBe('0x');
  const { action: live } = exchangeOf('abandon_node');
  expect(await market.stack.chain.anvil.rpc('eth_getCode', live.escrow_address, 'latest')).toMatch(/^0x363d3d37/);
});

it('never sees an action id twice, and one nonce for all that is asked about a node while nothing happens to it', () => {
  const actions = [...seen.values()].map(({ action }) => action);
  expect(new Set(actions.map(({ action_id }) => action_id)).size).toBe(actions.length);
  const nonceOf = (name: string): string => exchangeOf(name).action.nonce;
  expect(nonceOf('fund_task by permit')).toBe(nonceOf('select_agent'));
  expect(nonceOf('reject_task')).toBe(nonceOf('resolve_task'));
  expect(nonceOf('dispute_node')).toBe(String(BigInt(nonceOf('reject_task')) + 1n));
});

/** Dotted paths of all values that are not objects. */
function leavesOf(value: any, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`));
}

/** Dotted paths of all members of all objects. */
function branchesOf(value: any, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...branchesOf(inner, own)];
  });
}

function changed(action: any, path: string): any {
  return edited(action, path, (owner, name) => (owner[name] = otherThan(owner[name], path)));
}

function without(action: any, path: string): any {
  return edited(action, path, (owner, name) => {
    if (Array.isArray(owner)) owner.splice(Number(name), 1);
    else delete owner[name];
  });
}

function edited(action: any, path: string, edit: (owner: any, name: string) => void): any {
  const copy = structuredClone(action);
  const names = path.split('.');
  const last = names.pop()!;
  edit(
    names.reduce((owner, name) => owner[name], copy),
    last,
  );
  return copy;
}

/** Another value that differs as little as possible and has the same form. */
function otherThan(value: any, path: string): any {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (path === 'expires_at') return new Date(Date.parse(value) + DAY * 1000).toISOString();
  if (path === 'signing_url') return value.replace('market.example', 'market.example.evil');
  // For calls changes the selector; for all other values changes the end.
  if (path.endsWith('.data')) return `0x${value[2] === 'f' ? 'e' : 'f'}${value.slice(3)}`;
  if (/^[0-9]+$/.test(value)) return String(BigInt(value) + 1n);
  return value.slice(0, -1) + (value.endsWith('1') ? '2' : '1');
}

import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually.js';
import type { ApiAnswer } from '../../support/market.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import { expectUnavailable, type ServiceProcess } from '../../support/resilience/service-process.js';
import type { RpcCall } from '../../support/rpc-proxy.js';

/**
 * The accounts together send more submissions than the write pool of these specs has connections; each sends as many as
 * an account may have at once.
 */
const ACCOUNTS = 3;
const EACH = 10;
/** Code whose check of a signature never ends: JUMPDEST PUSH0 JUMP. */
const ENDLESS_CODE = '0x5b5f56';
const NOT_BY_THE_KEY = `0x${'11'.repeat(65)}`;
const STALL_MS = 10_000;

let stack: ResilienceStack;
let service: ServiceProcess;
let bystander: Caller;

beforeAll(async () => {
  stack = await ResilienceStack.start();
  service = await stack.service();
  bystander = await stack.caller('Bystander');
});
afterAll(() => stack?.stop());
afterEach(() => {
  stack.rpc.mode = 'pass';
  stack.rpc.holds = () => false;
});

const post = ({ keys }: Caller, path: string, body: object): Promise<ApiAnswer> =>
  service.call(path, { key: keys.buyer, headers: { 'Idempotency-Key': randomUUID() }, body });
const create = (who: Caller): Promise<ApiAnswer> =>
  post(who, '/v1/task-creation-intents', {
    brief: 'Translate 40 pages.',
    budget: { amount: '250.00', currency: 'USDC' },
    selection_mode: 'manual',
  });
const submit = (who: Caller, actionId: string): Promise<ApiAnswer> =>
  post(who, `/v1/actions/${actionId}/submissions`, { signature: NOT_BY_THE_KEY });
const asks = (wallets: readonly string[]) => {
  const addresses = new Set(wallets.map((wallet) => wallet.toLowerCase()));
  return ({ method, params: [call] }: RpcCall) =>
    method === 'eth_call' && addresses.has(String((call as { to?: string }).to).toLowerCase());
};

/** A caller whose wallet is a contract, with prepared actions that it may sign. */
async function contractCaller(name: string, actions: number): Promise<{ who: Caller; actionIds: string[] }> {
  const who = await stack.caller(name);
  await stack.chain.anvil.rpc('anvil_setCode', who.wallet.address, ENDLESS_CODE);
  const actionIds: string[] = [];
  while (actionIds.length < actions) actionIds.push((await create(who)).body.action_id);
  return { who, actionIds };
}

it('contract wallets that do not answer cost their own requests: no connection is held, the others write on', async () => {
  const slow = [];
  for (let n = 0; n < ACCOUNTS; n += 1) slow.push(await contractCaller(`Slow ${n}`, EACH));
  const isSlow = asks(slow.map(({ who }) => who.wallet.address));
  stack.rpc.holds = isSlow;
  const before = stack.rpc.held.length;
  let answered = 0;
  const submissions = slow.flatMap(({ who, actionIds }) =>
    actionIds.map(async (id) => {
      const answer = await submit(who, id);
      answered += 1;
      return answer;
    }),
  );
  await eventually(() => stack.rpc.held.length > before);
  expect(answered).toBe(0);
  let wroteMeanwhile = 0;
  do {
    const [created, ready, writes, open] = await Promise.all([
      create(bystander),
      service.health('ready'),
      service.health('ready/writes'),
      stack.heldConnections(),
    ]);
    expect([created.status, ready, writes, open]).toEqual([200, 200, 200, 0]);
    wroteMeanwhile += 1;
  } while (answered < submissions.length && wroteMeanwhile < 50);
  (await Promise.all(submissions)).forEach(expectUnavailable);
  const held = stack.rpc.held.slice(before);
  // No call of another account was held in the same request, and each submission held at most one call.
  expect(held.filter((call) => !isSlow(call))).toEqual([]);
  expect(held.length).toBeLessThanOrEqual(ACCOUNTS * EACH);
  stack.rpc.holds = () => false;
});

it('one that needs too much gas has not signed: a refusal, within a bound that the endpoint is told', async () => {
  const { who, actionIds } = await contractCaller('Endless', 1);
  const { status, body } = await submit(who, actionIds[0]!);
  expect([status, body.error.code, body.error.suggestion]).toEqual([
    409,
    'wallet_mismatch',
    expect.stringContaining('5000000 gas'),
  ]);
  const [asked] = stack.rpc.calls.filter(asks([who.wallet.address]));
  expect(asked!.params[0]).toMatchObject({ gas: '0x4c4b40' });
});

it('while the chain says nothing for 10 s what is read is served, ready says so, and no connection is held', async () => {
  const { who, actionIds } = await contractCaller('Stalled', EACH);
  const startedAt = performance.now();
  stack.rpc.mode = 'hang';
  const submissions = actionIds.map((id) => submit(who, id));
  const creations = Array.from({ length: EACH }, () => create(bystander));
  let looks = 0;
  while (performance.now() - startedAt < STALL_MS) {
    const [tasks, ready, open] = await Promise.all([
      service.call('/v1/tasks', { key: bystander.keys.read }),
      service.health('ready'),
      stack.heldConnections(),
    ]);
    expect([tasks.status, ready, open]).toEqual([200, 200, 0]);
    looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(looks).toBeGreaterThan(1);
  expect(await service.health('ready/writes')).toBe(503);
  (await Promise.all(submissions)).forEach(expectUnavailable);
  // A task is created by a signature alone, so its preparation asks the chain nothing.
  expect((await Promise.all(creations)).map(({ status }) => status)).toEqual(Array(EACH).fill(200));
  stack.rpc.mode = 'pass';
  await eventually(async () => (await service.health('ready/writes')) === 200);
  expect((await create(bystander)).status).toBe(200);
});

import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { nodesSeenBy } from './node-requests.js';
import type { Trader } from './trader.js';
import type { Walk } from './walk.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const CALM_SECONDS = 120;
const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'] as const;
const LISTS = ['tasks', 'quotes', 'deliveries', 'receipts', 'reputation', 'agents', 'earnings'] as const;

/** Moves time: by a little, by days, or to the edge of a time window. */
export async function travel(walk: Walk): Promise<void> {
  const { random, market } = walk;
  const now = await market.nowSeconds();
  const due = random.pick(walk.dues.filter((moment) => moment > now + 2 && moment < now + 10 * DAY));
  const edge = due === undefined ? 0 : due - now + random.between(-3, 0);
  const seconds = random.weighted({ hour: 6, day: 3, days: 1, week: 0.5, edge: 5 });
  const by = { hour: HOUR, day: DAY, days: 3 * DAY, week: 8 * DAY, edge }[seconds];
  await market.chain.anvil.rpc('evm_increaseTime', `0x${Math.max(0, by).toString(16)}`);
  await market.chain.anvil.mine();
  walk.note(`   time goes on by ${by} s`);
  walk.count('travelled');
  walk.lagging = true;
  if (walk.fault === null) await market.caughtUp();
  await walk.settle();
}

/**
 * Moves to a moment from which nothing becomes due for two minutes. The service's clock runs on while the newest
 * block's time stands still, so only then do values read from both belong to the same state.
 */
export async function calm(walk: Walk): Promise<void> {
  for (const task of walk.tasks) await nodesSeenBy(walk, task.buyer, task);
  const now = await walk.market.nowSeconds();
  let calmAt = now;
  for (const due of walk.dues.toSorted((one, other) => one - other)) {
    if (due >= calmAt && due <= calmAt + CALM_SECONDS) calmAt = due + 1;
  }
  await walk.market.travel(calmAt - now);
}

/** Takes away something that the service needs for a few moves. The next call brings it back. */
export async function fault(walk: Walk): Promise<void> {
  if (walk.fault !== null) return mend(walk);
  const { stack } = walk.market;
  const kind = walk.random.of(
    'rpc refuses',
    'rpc fails',
    'rpc is slow',
    'database cut',
    'database refuses',
    'database is slow',
  );
  walk.fault = kind;
  walk.lagging = true;
  walk.note(`   fault: ${kind}`);
  walk.count(`fault: ${kind}`);
  const slowMs = walk.random.between(100, 900);
  if (kind === 'rpc refuses') stack.rpc.mode = 'refuse';
  if (kind === 'rpc fails') stack.rpc.mode = 'error';
  if (kind === 'rpc is slow') hangFor(walk.slowRpc, slowMs);
  if (kind === 'database cut') setTimeout(() => stack.database.cut(), walk.random.between(0, 60));
  if (kind === 'database refuses') stack.database.refuse();
  if (kind === 'database is slow') hangFor(stack.database, slowMs);
}

/** Brings everything back and waits until the service has noticed. */
export async function mend(walk: Walk): Promise<void> {
  const { stack } = walk.market;
  stack.rpc.mode = 'pass';
  walk.slowRpc.pass();
  stack.database.pass();
  await new Promise((resolve) => setTimeout(resolve, 80));
  await walk.market.ready();
  await walk.market.caughtUp();
  walk.fault = null;
  walk.lagging = false;
  walk.note('   everything is there again');
}

/** Pauses the token or blocks an address. The next call ends that. */
export async function token(walk: Walk): Promise<void> {
  const { chain } = walk.market;
  if (walk.tokenTrouble) return freeToken(walk);
  walk.tokenTrouble = true;
  if (walk.random.chance(0.4)) await chain.callUsdc('pause', []);
  else await chain.callUsdc('blacklist', [walk.random.of(...crowd(walk)).address]);
  walk.note('   the token is in trouble');
  walk.count('token trouble');
  walk.lagging = true;
  await walk.settle();
}

export async function freeToken(walk: Walk): Promise<void> {
  const { chain } = walk.market;
  await chain.callUsdc('unpause', []);
  for (const { address } of walk.traders) await chain.callUsdc('unBlacklist', [address]);
  walk.tokenTrouble = false;
  walk.lagging = true;
  await walk.settle();
}

/** Reads of all sorts, some with parameters that nobody should send. */
export async function read(walk: Walk): Promise<void> {
  const { random } = walk;
  const who = random.of(...crowd(walk));
  const task = random.pick(walk.tasks);
  const query = random.of('', '', '?limit=3', '?limit=0', '?cursor=nonsense', '?limit=1&limit=2', '?what=ever');
  const action = random.pick(walk.actions)?.action.action_id ?? 'act_missing';
  const id = task?.id ?? 'task_missing';
  await walk.get(
    who,
    random.of(
      `/v1/${random.of(...LISTS)}${query}`,
      `/v1/tasks/${id}`,
      `/v1/tasks/${id}/matches`,
      `/v1/tasks/${id}/preview`,
      `/v1/actions/${action}`,
      `/v1/agents/${who.agentId}`,
    ),
  );
}

/** Requests that must be refused, each in its own way. */
export async function abuse(walk: Walk): Promise<void> {
  const { random } = walk;
  const who = random.of(...crowd(walk));
  const left = random.pick(walk.actions);
  const task = random.pick(walk.tasks);
  const id = task?.id ?? 'task_missing';
  const paths: [string, Scope][] = [
    [`/v1/tasks/${id}/funding-intents`, 'buyer'],
    [`/v1/tasks/${id}/nodes/node_${id.slice(5)}_1/abandon-intents`, 'worker'],
    [`/v1/tasks/${id}/nodes/node_missing/non-delivery-claim-intents`, 'read'],
    ['/v1/quotes', 'worker'],
    ['/v1/deliveries', 'worker'],
    ['/v1/task-creation-intents', 'buyer'],
    [`/v1/tasks/${id}/selection-intents`, 'buyer'],
    [`/v1/actions/${left?.action.action_id ?? 'act_missing'}/submissions`, left?.scope ?? 'buyer'],
  ];
  const [path, scope] = random.of(...(paths as [[string, Scope], ...[string, Scope][]]));
  const kind = random.of('scope', 'no key', 'bad key', 'no idempotency key', 'malformed', 'garbage', 'foreign action');
  const wrong = random.of(...(SCOPES.filter((one) => one !== scope) as [Scope, ...Scope[]]));
  switch (kind) {
    case 'scope':
      return refused(walk, await walk.call(who, wrong, 'POST', path, { body: {} }), path);
    case 'no key':
      return refused(walk, await walk.call(who, scope, 'POST', path, { body: {}, key: null }), path);
    case 'bad key':
      return refused(walk, await walk.call(who, scope, 'POST', path, { body: {}, key: `${who.keys[scope]}x` }), path);
    case 'no idempotency key':
      return refused(walk, await walk.call(who, scope, 'POST', path, { body: {}, idempotencyKey: null }), path);
    case 'malformed': {
      const text = random.of('{', '[]', '"text"', 'null', '{"a":1,"a":2}', '{"unknown_member": true, "\u0000": 1}', '');
      const raw = { text, type: random.of('application/json', 'application/json', 'text/plain') };
      return void (await walk.call(who, scope, 'POST', path, { raw }));
    }
    case 'garbage': {
      const answer = await walk.post(who, scope, path, { signature: '0x1234', transaction_hash: '0x12' });
      // Two operations declare no body. A body sent to them is bound to the digest, and is no fault.
      return /(?:abandon|claim)-intents$/.test(path) ? undefined : refused(walk, answer, path);
    }
    case 'foreign action': {
      if (left === undefined) return;
      const other = walk.traders.find((trader) => trader !== left.who) ?? who;
      const submissions = `/v1/actions/${left.action.action_id}/submissions`;
      const signature = await other.sign(left.action);
      return refused(walk, await walk.post(other, left.scope, submissions, { signature }), submissions);
    }
  }
}

/** Sends the same request twice, at once or one after the other, and then another request with the same key. */
export async function repeat(walk: Walk): Promise<void> {
  const { random } = walk;
  const who = random.of(...crowd(walk));
  const task = random.pick(walk.tasks);
  if (task === undefined) return;
  const idempotencyKey = randomUUID();
  const path = `/v1/tasks/${task.id}/funding-intents`;
  const asks = (): ReturnType<Walk['call']> => walk.call(who, 'buyer', 'POST', path, { idempotencyKey });
  const [one, two] = random.chance(0.5) ? await Promise.all([asks(), asks()]) : [await asks(), await asks()];
  if (one.status === 200 && two.status === 200 && one.text !== two.text) walk.fail('a repeated request was done twice');
  if (one.status === 503 || two.status === 503) return;
  const other = await walk.call(who, 'buyer', 'POST', path, { idempotencyKey, body: { funding_mode: 'permit' } });
  if (other.status === 200) walk.fail('a key was used for two requests');
}

/** Several people send requests at the same moment. */
export async function rush(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(walk.tasks);
  if (task === undefined) return;
  const asks = Array.from({ length: random.between(2, 5) }, () => random.of(...crowd(walk))).map((who) =>
    random.chance(0.5)
      ? walk.get(who, `/v1/tasks/${task.id}/nodes`)
      : walk.post(who, 'buyer', `/v1/tasks/${task.id}/selection-intents`, { mode: 'auto' }),
  );
  await Promise.all(asks);
}

function refused(walk: Walk, { status, text }: { status: number; text: string }, path: string): void {
  if (status < 400) walk.fail(`an abuse of ${path} was answered ${status}: ${text}`);
}

function hangFor(proxy: { hang(): void; pass(): void }, milliseconds: number): void {
  proxy.hang();
  setTimeout(() => proxy.pass(), milliseconds);
}

function crowd(walk: Walk): [Trader, ...Trader[]] {
  const [first, ...others] = walk.traders;
  if (first === undefined) throw new Error('There are traders');
  return [first, ...others];
}

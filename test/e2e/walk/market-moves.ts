import {
  encodeCreateTree,
  encodeFinalize,
  encodeInvalidateNonces,
  encodeRuleDispute,
  nodeNonce,
  senderAuth,
  treeIdOf,
} from '../../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST, formatUsdc, type Hex, parseUsdc } from '../../../libs/kernel/src/index.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { NODE_KINDS, nodeRequest, nodesSeenBy, offerFor, pathOf, type SeenNode } from './node-requests.js';
import { storedNode } from './outcome.js';
import { usdc } from './steps.js';
import type { Trader } from './trader.js';
import type { Walk, WalkAction, WalkTask } from './walk.js';

const MOST_TASKS = 16;
const SHORT_WINDOW = 172_800;
const USUAL_WINDOW = 259_200;
/** Probability with which a node is ended when it could be. */
const SLOW: Readonly<Record<string, number>> = { abandon_node: 0.15, deliver: 0.5 };
const HASH: Hex = `0x${'0a'.repeat(32)}`;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** A buyer publishes a task, sometimes without signing it. */
export async function publishTask(walk: Walk): Promise<void> {
  const { random } = walk;
  if (walk.tasks.length >= MOST_TASKS) return rootOffer(walk);
  const buyer = random.of(...crowd(walk));
  const arbiter = random.weighted({ arbiter: 6, none: 3, trader: 1 });
  const named = arbiter === 'none' ? null : arbiter === 'arbiter' ? walk.arbiter : random.of(...crowd(walk));
  const acceptWindow = random.chance(0.5) ? SHORT_WINDOW : USUAL_WINDOW;
  const body = {
    brief: `Count the words of volume ${random.between(1, 1e9)}.`,
    budget: usdc(random.between(50, 500)),
    selection_mode: random.chance(0.8) ? 'manual' : 'auto',
    tier: random.chance(0.85) ? 'public' : 'private_curated',
    ...(acceptWindow === USUAL_WINDOW ? {} : { accept_window_seconds: acceptWindow }),
    ...(named === null ? {} : { arbiter: named.address }),
  };
  const { status, body: action } = await walk.post(buyer, 'buyer', '/v1/task-creation-intents', body);
  if (status !== 200) return;
  const detail = await walk.get(buyer, `/v1/tasks/${action.task_id}`);
  if (detail.status !== 200) return;
  const { id, terms_hash: termsHash, escrow_address: escrow } = detail.body;
  walk.tasks.push({ id, termsHash, escrow, buyer, arbiter: named, acceptWindow });
  await finish(walk, { who: buyer, scope: 'buyer', action });
  if (body.tier === 'private_curated') await invite(walk, buyer, id);
}

/** A buyer invites about half of the others to a private task. Quotes of those not invited are refused. */
async function invite(walk: Walk, buyer: Trader, taskId: string): Promise<void> {
  const others = crowd(walk).filter((trader) => trader !== buyer && trader.agentId !== '' && walk.random.chance(0.5));
  if (others.length === 0) return;
  await walk.post(buyer, 'buyer', `/v1/tasks/${taskId}/invitations`, {
    agent_ids: others.map(({ agentId }) => agentId),
  });
}

/** A trader quotes for a task. */
export async function rootOffer(walk: Walk): Promise<void> {
  const task = walk.random.pick(walk.random.chance(0.9) ? unpaid(walk) : walk.tasks);
  const who = walk.random.of(...crowd(walk));
  if (task === undefined) return walk.tasks.length < MOST_TASKS ? publishTask(walk) : childOffer(walk);
  const action = await offerFor(walk, who, task, { price: price(walk, 5, 300) });
  if (action !== null) await finish(walk, { who, scope: 'worker', action });
}

/** A buyer selects one of the quotes, and mostly pays. */
export async function hireRoot(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(random.chance(0.9) ? unpaid(walk) : walk.tasks);
  if (task === undefined) return childOffer(walk);
  const { buyer } = task;
  const quotes = await walk.get(buyer, `/v1/quotes?task_id=${task.id}`);
  const agents: string[] = (quotes.body.data ?? []).map((quote: any) => quote.agent_id);
  const agent = random.pick(agents);
  if (agent === undefined) return rootOffer(walk);
  const body = random.chance(0.85) ? { mode: 'manual', agent_id: agent } : { mode: 'auto' };
  if (!(await perform(walk, buyer, 'buyer', `/v1/tasks/${task.id}/selection-intents`, body))) return;
  const mode = random.chance(0.5) ? undefined : { funding_mode: fundingMode(walk) };
  if (random.chance(0.1)) return;
  if (await perform(walk, buyer, 'buyer', `/v1/tasks/${task.id}/funding-intents`, mode)) walk.funded.add(task.id);
}

/** A trader quotes for a child node and is mostly hired; the deepest nodes come first. */
export async function childOffer(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(paid(walk));
  if (task === undefined) return;
  do {
    const nodes = await nodesSeenBy(walk, task.buyer, task);
    const funded = nodes.filter(({ state }) => state === 'funded');
    const parent = random.pick(funded.toSorted((a, b) => depth(nodes, b) - depth(nodes, a)).slice(0, 3));
    if (parent === undefined) return;
    const hirer = traderOf(walk, parent.worker_agent_id);
    const others = walk.traders.filter((one) => one !== hirer && one !== task.buyer);
    const who = random.pick(random.chance(0.9) ? others : walk.traders);
    if (who === undefined || hirer === undefined) return;
    const most = Math.max(1, Math.floor(Number(formatUsdc(leftToPromise(parent))) / random.between(1, 3)));
    const own = { price: price(walk, 1, most), parent, hirerFunded: random.chance(0.25) };
    const action = await offerFor(walk, who, task, own);
    if (action === null) return;
    await finish(walk, { who, scope: 'worker', action });
    if (random.chance(0.9)) await actOn(walk, hirer, task, parent, 'subcontract');
  } while (random.chance(0.5));
}

/** A trader does with some nodes what the service lists as allowed. */
export async function workOn(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(paid(walk));
  if (task === undefined) return hireRoot(walk);
  const seen = await nodesSeenBy(walk, task.buyer, task);
  const node = random.pick(seen.filter(({ state }) => state !== 'refunded'));
  if (node === undefined) return hireRoot(walk);
  const party = random.pick(partiesOf(walk, task, seen, node)) ?? task.buyer;
  const own = party === task.buyer ? seen : await nodesSeenBy(walk, party, task);
  const open = own.filter(({ allowed_actions: allowed }) => allowed.some((kind) => kind !== 'subcontract'));
  for (let done = 0; done < 2; done += 1) {
    const chosen = random.pick(open);
    if (chosen !== undefined) await workOnNode(walk, party, task, chosen);
  }
}

/** Actions that end a node are rare enough for trees to grow. */
async function workOnNode(walk: Walk, who: Trader, task: WalkTask, node: SeenNode): Promise<void> {
  const allowed = NODE_KINDS.filter((kind) => node.allowed_actions.includes(kind));
  const isSlow = (kind: string): boolean => kind === 'abandon_node' || (kind === 'deliver' && node.state === 'funded');
  const kind = walk.random.pick(allowed.filter((one) => !isSlow(one) || walk.random.chance(SLOW[one] ?? 1)));
  if (kind !== undefined) await actOn(walk, who, task, node, kind);
}

/** A trader tries any action on any node of a task. */
export async function anyAction(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(walk.tasks);
  if (task === undefined) return;
  const node = random.pick(await nodesSeenBy(walk, task.buyer, task));
  if (node !== undefined) await actOn(walk, random.of(...crowd(walk)), task, node, random.of(...NODE_KINDS));
}

/** Withdraws earnings of nodes, or returned money. */
export async function withdraw(walk: Walk): Promise<void> {
  const { random } = walk;
  const who = random.of(...crowd(walk));
  const destination = random.chance(0.8) ? who.address : random.of(...crowd(walk)).address;
  if (random.chance(0.6)) {
    await perform(walk, who, 'worker', '/v1/earnings/withdrawal-intents', { destination });
    return;
  }
  const task = random.pick(walk.tasks);
  if (task === undefined) return;
  const hirer = random.chance(0.8) ? task.buyer : who;
  await perform(walk, hirer, 'buyer', `/v1/tasks/${task.id}/refund-withdrawal-intents`, { destination: hirer.address });
}

/**
 * A worker cheats as much as the rules allow: it promises all that it may of its node to a puppet, whose work it accepts,
 * delivers junk, and takes the buyer's rejection to the arbiter.
 */
export async function puppet(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(paid(walk).filter(({ arbiter }) => arbiter !== null));
  if (task === undefined) return hireRoot(walk);
  const root = (await nodesSeenBy(walk, task.buyer, task)).find(
    ({ parent_node_id: parent, state }) => parent === null && state === 'funded',
  );
  const worker = root && traderOf(walk, root.worker_agent_id);
  const helper = random.pick(walk.traders.filter((one) => one !== worker && one !== task.buyer));
  if (root === undefined || worker === undefined || helper === undefined) return workOn(walk);
  const left = leftToPromise(root);
  if (left >= parseUsdc('1.00')) {
    const offered = await offerFor(walk, helper, task, { price: formatUsdc(left), parent: root });
    if (offered !== null) await finish(walk, { who: helper, scope: 'worker', action: offered });
    await actOn(walk, worker, task, root, 'subcontract');
    for (const [who, kind] of [
      [helper, 'deliver'],
      [worker, 'resolve_task'],
    ] as const) {
      const nodes = await nodesSeenBy(walk, who, task);
      const below = nodes.findLast(({ worker_agent_id: agent }) => agent === helper.agentId);
      if (below?.allowed_actions.includes(kind)) await actOn(walk, who, task, below, kind);
    }
  }
  for (const [who, kind] of [
    [worker, 'deliver'],
    [task.buyer, 'reject_task'],
    [worker, 'dispute_node'],
  ] as const) {
    const node = (await nodesSeenBy(walk, who, task)).find(({ id }) => id === root.id);
    if (node?.allowed_actions.includes(kind)) await actOn(walk, who, task, node, kind);
  }
  walk.count('puppets played');
}

/**
 * What has no operation in the API: the arbiter rules, anybody deploys an escrow or finalizes a node, a worker's wallet
 * cancels a quote.
 */
export async function onChainOnly(walk: Walk): Promise<void> {
  const { random } = walk;
  const task = random.pick(walk.tasks);
  if (task === undefined) return;
  const nodes = await nodesSeenBy(walk, task.buyer, task);
  const disputed = nodes.find(({ state }) => state === 'disputed');
  const node = disputed ?? random.pick(nodes);
  if (node === undefined) {
    const tree = {
      buyer: task.buyer.address,
      arbiter: task.arbiter?.address ?? ZERO_ADDRESS,
      treeId: treeIdOf(task.id),
    };
    await walk.send({ to: walk.market.chain.factory, data: encodeCreateTree(tree) }, null);
  } else if (disputed !== undefined && task.arbiter !== null && random.chance(0.6)) {
    await rule(walk, task, task.arbiter, disputed);
  } else if (random.chance(0.7)) {
    await walk.send({ to: task.escrow, data: encodeFinalize(pathOf(node)) }, null);
  } else {
    const quoted = walk.actions.filter(({ action }) => action.kind === 'submit_quote' && action.task_id === task.id);
    const { who, action } = random.pick(quoted) ?? {};
    if (who === undefined) return;
    const nonce = BigInt(action.nonce);
    await walk.send({ to: task.escrow, data: encodeInvalidateNonces(nonce >> 8n, 1n << (nonce & 255n)) }, who.address);
  }
  await walk.settle();
}

async function rule(walk: Walk, task: WalkTask, arbiter: Trader, node: SeenNode): Promise<void> {
  const path = pathOf(node);
  const stored = await storedNode(walk, task.escrow, path);
  if (stored === null) return;
  const share = walk.random.of(0n, 1n, parseUsdc(node.amount.amount) / 2n, 1_000_000n);
  const fields = { actionId: HASH, requestDigest: EMPTY_REQUEST_DIGEST, nonce: nodeNonce(path, stored.version) };
  const auth = senderAuth({ ...fields, validUntil: 40_000_000_000n });
  await walk.send({ to: task.escrow, data: encodeRuleDispute(path, share, HASH, auth) }, arbiter.address);
}

/** A wallet signs an action that was left unfinished. */
export async function lateSignature(walk: Walk): Promise<void> {
  const left = walk.random.pick(walk.actions);
  if (left !== undefined) await finish(walk, left, true);
}

/** Prepares an action and, mostly, carries it out. @returns whether it was prepared. */
export async function perform(
  walk: Walk,
  who: Trader,
  scope: Scope,
  path: string,
  body?: unknown,
  actionOf: (answer: any) => any = (answer) => answer,
): Promise<boolean> {
  const certain = walk.isCertain;
  const answer = await walk.post(who, scope, path, body);
  if (answer.status !== 200) return false;
  const outcome = await finish(walk, { who, scope, action: actionOf(answer.body) });
  if (outcome === 'refused' && certain) await requireRefusal(walk, who, scope, { path, body, actionOf });
  return true;
}

/** Tasks whose root node was paid. */
function paid(walk: Walk): WalkTask[] {
  return walk.tasks.filter(({ id }) => walk.funded.has(id));
}

function unpaid(walk: Walk): WalkTask[] {
  return walk.tasks.filter(({ id }) => !walk.funded.has(id));
}

/** Traders who may have a say in a node: its worker, and whoever hired for it. */
export function partiesOf(walk: Walk, task: WalkTask, nodes: readonly SeenNode[], node: SeenNode): Trader[] {
  const parent = nodes.find(({ id }) => id === node.parent_node_id);
  const hirer = parent === undefined ? task.buyer : traderOf(walk, parent.worker_agent_id);
  const worker = traderOf(walk, node.worker_agent_id);
  return [worker, hirer].filter((one) => one !== undefined);
}

export function traderOf(walk: Walk, agentId: string): Trader | undefined {
  return walk.traders.find((trader) => trader.agentId === agentId);
}

async function actOn(
  walk: Walk,
  who: Trader,
  task: WalkTask,
  node: SeenNode,
  kind: (typeof NODE_KINDS)[number],
): Promise<void> {
  const request = await nodeRequest(walk, kind, who, task, node);
  if (request === null) return;
  const { scope, path, body, isDelivery } = request;
  const actionOf = (answer: any): any => (isDelivery ? answer.prepared_action : answer);
  if (await perform(walk, who, scope, path, body, actionOf)) walk.count(`prepared ${kind}`);
}

/** What a wallet does with an action: nothing, a signature that somebody may relay, or its own transaction. */
async function finish(walk: Walk, left: WalkAction, isLate = false): Promise<'mined' | 'refused' | 'left'> {
  const { random } = walk;
  const { who, scope, action } = left;
  const mayStop = !walk.isWindingDown;
  if (!isLate) walk.actions.push(left);
  if (!isLate && mayStop && random.chance(0.06)) return 'left';
  const { calls, transaction } = action.payload;
  if (calls !== undefined || (transaction !== undefined && random.chance(0.2))) return sendDirect(walk, left);
  const path = `/v1/actions/${action.action_id}/submissions`;
  const signer = !mayStop || random.chance(0.97) ? who : random.of(...crowd(walk));
  const { status, body } = await walk.post(who, scope, path, { signature: await signer.sign(action) });
  if (status !== 200 || body.transaction === undefined || (mayStop && random.chance(0.05))) return 'left';
  const { from = null } = body.transaction;
  const hash = await walk.send(body.transaction, from);
  if (random.chance(0.9)) await walk.settle();
  return hash === null ? 'refused' : 'mined';
}

async function sendDirect(walk: Walk, { who, scope, action }: WalkAction): Promise<'mined' | 'refused'> {
  const { calls, transaction } = action.payload;
  let hash: string | null = null;
  for (const call of calls ?? [transaction]) {
    hash = await walk.send(call, who.address);
    if (hash === null) break;
  }
  if (hash !== null && walk.random.chance(0.6)) {
    const path = `/v1/actions/${action.action_id}/submissions`;
    await walk.post(who, scope, path, { transaction_hash: hash });
  }
  if (walk.random.chance(0.9)) await walk.settle();
  return hash === null ? 'refused' : 'mined';
}

/**
 * Expects a refusal: the chain rejected what the service had just prepared, so the service must not prepare it again.
 */
async function requireRefusal(
  walk: Walk,
  who: Trader,
  scope: Scope,
  { path, body, actionOf }: { path: string; body: unknown; actionOf: (answer: any) => any },
): Promise<void> {
  await walk.settle();
  if (!walk.isCertain) return;
  const again = await walk.post(who, scope, path, body);
  if (again.status !== 200) return;
  const outcome = await sendDirect(walk, { who, scope, action: actionOf(again.body) });
  if (outcome === 'refused' && !walk.tokenTrouble) walk.fail(`the chain refuses what was just prepared: ${path}`);
}

function crowd(walk: Walk): [Trader, ...Trader[]] {
  const [first, ...others] = walk.traders;
  if (first === undefined) throw new Error('There are traders');
  return [first, ...others];
}

function price(walk: Walk, least: number, most: number): string {
  const whole = walk.random.between(least, Math.max(least, most));
  return walk.random.chance(0.3) ? `${whole}.000001` : `${whole}.00`;
}

function fundingMode(walk: Walk): string {
  return walk.random.of('authorization', 'permit', 'allowance', 'refund_balance');
}

/** What a worker may still promise to helpers of its node, in base units. */
function leftToPromise({ amount, floor, unallocated = amount }: SeenNode): bigint {
  return parseUsdc(floor.amount) - (parseUsdc(amount.amount) - parseUsdc(unallocated.amount));
}

function depth(nodes: readonly SeenNode[], node: SeenNode): number {
  const parent = nodes.find(({ id }) => id === node.parent_node_id);
  return parent === undefined ? 1 : depth(nodes, parent) + 1;
}

import {
  NODE_KINDS,
  nodeRequest,
  nodesSeenBy,
  offerFor,
  pathOf,
  type NodeKind,
  type SeenNode,
} from './node-requests.js';
import { partiesOf } from './market-moves.js';
import type { Trader } from './trader.js';
import type { Walk, WalkTask } from './walk.js';

/** More than a child must have to work, and its offer takes to be taken up. */
const HIRING_SECONDS = 7_200;

/**
 * Every contradiction between `allowed_actions` and the operations, for at most `most` random nodes and everyone with a
 * say in them.
 */
export async function untrueActions(walk: Walk, most: number): Promise<string[]> {
  const found: string[] = [];
  const places: [WalkTask, SeenNode, SeenNode[]][] = [];
  for (const task of walk.tasks) {
    const nodes = await nodesSeenBy(walk, task.buyer, task);
    places.push(...nodes.map((node): [WalkTask, SeenNode, SeenNode[]] => [task, node, nodes]));
    found.push(...(await untrueOfTask(walk, task, nodes.length > 0)));
  }
  while (places.length > most) places.splice(walk.random.between(0, places.length - 1), 1);
  for (const [task, node, nodes] of places) {
    for (const who of new Set([...partiesOf(walk, task, nodes, node), task.buyer])) {
      found.push(...(await untrueOfNode(walk, who, task, node)));
    }
  }
  return found;
}

async function untrueOfNode(walk: Walk, who: Trader, task: WalkTask, { id }: SeenNode): Promise<string[]> {
  const seen = await nodesSeenBy(walk, who, task);
  const node = seen.find((one) => one.id === id);
  if (node === undefined) return [`${who.name} is a party of ${id} and does not see it`];
  const roots = seen.filter((one) => one.parent_node_id === null).map(pathOf);
  const newestRoot = roots.reduce((newest, path) => (path > newest ? path : newest), 0n);
  const found: string[] = [];
  for (const kind of NODE_KINDS) {
    const isListed = node.allowed_actions.includes(kind);
    // The operations on the task concern only its newest root node.
    const isOfTask = node.parent_node_id === null && (kind === 'resolve_task' || kind === 'reject_task');
    if (isOfTask && pathOf(node) !== newestRoot) continue;
    const fault = await untrueKind(walk, { kind, isListed, who, task, node });
    if (fault !== null) found.push(`${who.name} ${id} (${node.state}, ${node.effective_state}): ${fault}`);
  }
  return found;
}

async function untrueKind(
  walk: Walk,
  {
    kind,
    isListed,
    who,
    task,
    node,
  }: { kind: NodeKind; isListed: boolean; who: Trader; task: WalkTask; node: SeenNode },
): Promise<string | null> {
  // Requests for kinds that are not allowed are mostly refused for the same reason, so half of them are enough.
  if (!isListed && walk.random.chance(0.5)) return null;
  if (kind === 'subcontract') return isListed ? untrueHiring(walk, who, task, node) : null;
  const request = await nodeRequest(walk, kind, who, task, node);
  if (request === null) return `${kind} could not be asked for`;
  const { status, text } = await walk.post(who, request.scope, request.path, request.body);
  if (isListed) return status === 200 ? null : `${kind} is listed and answered ${status}: ${text}`;
  return status >= 400 ? null : `${kind} is not listed and was prepared`;
}

/** Hiring needs a quote. One that the hirer pays itself fits every node that ends late enough. */
async function untrueHiring(walk: Walk, who: Trader, task: WalkTask, node: SeenNode): Promise<string | null> {
  const left = Date.parse(node.delivery_deadline) / 1000 - (await walk.market.nowSeconds());
  const seen = await nodesSeenBy(walk, task.buyer, task);
  const above = new Set([task.buyer.agentId, ...ancestorsOf(seen, node).map((one) => one.worker_agent_id)]);
  const free = walk.traders.filter((one) => !above.has(one.agentId) && one.address !== task.arbiter?.address);
  const worker = await firstWhoSees(walk, free, task);
  if (worker === undefined || left < HIRING_SECONDS) return null;
  const offer = await offerFor(walk, worker, task, { price: '1.00', parent: node, hirerFunded: true });
  if (offer === null) return `subcontract is listed and no offer could be made: ${walk.lastLines().split('\n').at(-1)}`;
  const signature = await worker.sign(offer);
  const signed = await walk.post(worker, 'worker', `/v1/actions/${offer.action_id}/submissions`, { signature });
  if (signed.status !== 200) return `an offer could not be signed: ${signed.text}`;
  const { body } = await walk.get(who, `/v1/quotes?task_id=${task.id}&limit=100`);
  const quote = body.data.find((one: any) => one.agent_id === worker.agentId && one.parent_node_id === node.id);
  const path = `/v1/tasks/${task.id}/nodes/${node.id}/subcontract-intents`;
  const asked = await walk.post(who, 'worker', path, { quote_id: quote?.id, accept_window_seconds: task.acceptWindow });
  return asked.status === 200 ? null : `subcontract is listed and answered ${asked.status}: ${asked.text}`;
}

/**
 * The first trader who may see the task. Whoever is neither invited to a private task nor hired in it cannot quote for
 * it.
 */
async function firstWhoSees(walk: Walk, traders: readonly Trader[], task: WalkTask): Promise<Trader | undefined> {
  for (const trader of traders) if ((await walk.get(trader, `/v1/tasks/${task.id}`)).status === 200) return trader;
  return undefined;
}

/** Every contradiction in what the task says to its buyer and to another trader. */
async function untrueOfTask(walk: Walk, task: WalkTask, wasPaid: boolean): Promise<string[]> {
  const found: string[] = [];
  const { buyer } = task;
  const { status: seen, text: seenText, body } = await walk.get(buyer, `/v1/tasks/${task.id}`);
  // The sweeper deletes tasks that can no longer be paid, and the walk travels in time; a paid task stays.
  if (seen === 404 && !wasPaid) return [];
  if (seen !== 200) return [`${buyer.name} does not see its own task ${task.id}: ${seen} ${seenText}`];
  const asked: [string, string, unknown][] = [
    ['fund_task', `/v1/tasks/${task.id}/funding-intents`, undefined],
    ['withdraw_refund', `/v1/tasks/${task.id}/refund-withdrawal-intents`, { destination: buyer.address }],
  ];
  for (const [kind, path, sent] of asked) {
    const { status, text } = await walk.post(buyer, 'buyer', path, sent);
    const isListed = body.allowed_actions.includes(kind);
    if (isListed && status !== 200)
      found.push(`${task.id} (${body.status}): ${kind} is listed and answered ${status}: ${text}`);
    // While a payment is in progress `fund_task` is not listed, but may be prepared again in case the payment was lost.
    const isRepeated = kind === 'fund_task' && body.status === 'funding_pending';
    if (!isListed && !isRepeated && status === 200)
      found.push(`${task.id} (${body.status}): ${kind} is not listed and was prepared`);
  }
  const other = walk.random.pick(walk.traders.filter((one) => one !== buyer));
  if (other === undefined) return found;
  const detail = await walk.get(other, `/v1/tasks/${task.id}`);
  if (detail.status !== 200) return found;
  const isListed = detail.body.allowed_actions.includes('submit_quote');
  const offer = await offerFor(walk, other, task, { price: '1.00' });
  if (isListed !== (offer !== null)) {
    found.push(
      `${task.id} (${body.status}): submit_quote listed ${isListed} for ${other.name}: ${walk.lastLines().split('\n').at(-1)}`,
    );
  }
  return found;
}

function ancestorsOf(nodes: readonly SeenNode[], node: SeenNode): SeenNode[] {
  const parent = nodes.find(({ id }) => id === node.parent_node_id);
  return parent === undefined ? [node] : [node, ...ancestorsOf(nodes, parent)];
}

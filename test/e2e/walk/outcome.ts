import { id } from 'ethers';
import {
  decodeNodeResult,
  encodeNodeCall,
  NodeState,
  type StoredNode,
  taskEscrowAbi,
  wireNodeState,
} from '../../../libs/contracts/src/index.js';
import { formatUsdc, type Hex, parentPath, parseUsdc, pathText } from '../../../libs/kernel/src/index.js';
import { pathOf, type SeenNode } from './node-requests.js';
import type { ApiAnswer } from '../../support/market.js';
import { type Trader, bodyOf } from './trader.js';
import type { Walk, WalkTask } from './walk.js';

const NODE_FUNDED = 'NodeFunded(uint192,address,address,uint256,uint256,uint256,uint256,uint256,bool,uint8,bytes32)';
const ZERO_HASH = `0x${'00'.repeat(32)}`;
const TASK_STATUS: Readonly<Record<string, readonly string[]>> = {
  funded: ['funded'],
  delivered: ['delivered'],
  rejected: ['rejected'],
  disputed: ['disputed'],
  released: ['resolved'],
  // The buyer may already have selected or be paying another agent.
  refunded: ['refunded', 'selected', 'funding_pending'],
};

/** Every difference between what HTTP says and what the contracts hold; empty when there is none. */
export async function differences(walk: Walk): Promise<string[]> {
  const found: string[] = [];
  for (const task of walk.tasks) found.push(...(await taskDifferences(walk, task)));
  for (const trader of walk.traders) found.push(...(await earningsDifferences(walk, trader)));
  return found;
}

/** Number of nodes on each level of the trees, from the roots down. */
export async function levels(walk: Walk): Promise<number[]> {
  const counted: number[] = [];
  for (const task of walk.tasks) {
    const nodes = await nodesOf(walk, task);
    for (const node of nodes) {
      let level = 0;
      for (let up = node.parent_node_id; up !== null; level += 1) {
        up = nodes.find(({ id }) => id === up)?.parent_node_id ?? null;
      }
      counted[level] = (counted[level] ?? 0) + 1;
    }
  }
  return counted;
}

/** Base units of tokens that nobody in the walk has: the supply minus all wallets and escrows. */
export async function missingMoney(walk: Walk, others: readonly string[] = []): Promise<bigint> {
  const { chain } = walk.market;
  const [relayer] = await chain.anvil.rpc<string[]>('eth_accounts');
  const holders = new Set([
    ...walk.traders.map(({ address }) => address),
    ...walk.traders.map(({ key }) => key.address),
    walk.arbiter.address,
    ...walk.tasks.map(({ escrow }) => escrow),
    ...(relayer === undefined ? [] : [relayer]),
    ...others,
  ]);
  let held = 0n;
  for (const holder of holders) held += await chain.balanceOf(holder);
  return (await walk.market.supply()) - held;
}

/** Base units that are still in the escrows of the walk. */
export async function escrowed(walk: Walk): Promise<bigint> {
  let sum = 0n;
  for (const { escrow } of walk.tasks) sum += await walk.market.chain.balanceOf(escrow);
  return sum;
}

/** A node as the contract stores it; null when there is none. */
export async function storedNode(walk: Walk, escrow: string, path: bigint): Promise<StoredNode | null> {
  const call = { to: escrow, data: encodeNodeCall(path) };
  const answer = await walk.market.chain.anvil.rpc<Hex>('eth_call', call, 'latest');
  const stored = answer === '0x' ? null : decodeNodeResult(answer);
  return stored === null || stored.state === NodeState.None ? null : stored;
}

/** The nodes that HTTP shows for a task. A task that is not on the chain is deleted after a while and has none. */
async function nodesOf(walk: Walk, task: WalkTask): Promise<SeenNode[]> {
  const answer = await task.buyer.get(`/v1/tasks/${task.id}/nodes?limit=100`);
  return (await isDeleted(walk, task, answer)) ? [] : bodyOf(answer).data;
}

async function isDeleted(walk: Walk, { escrow }: WalkTask, { status }: ApiAnswer): Promise<boolean> {
  return status === 404 && (await walk.market.chain.anvil.rpc<string>('eth_getCode', escrow, 'latest')) === '0x';
}

async function taskDifferences(walk: Walk, task: WalkTask): Promise<string[]> {
  const answer = await task.buyer.get(`/v1/tasks/${task.id}`);
  if (await isDeleted(walk, task, answer)) return [];
  const detail = bodyOf(answer);
  const nodes = await nodesOf(walk, task);
  const stored = new Map<string, StoredNode>();
  const found: string[] = [];
  for (const node of nodes) {
    const onChain = await storedNode(walk, task.escrow, pathOf(node));
    if (onChain === null) found.push(`${node.id} is not on the chain`);
    else {
      stored.set(node.id, onChain);
      found.push(...nodeDifferences(node, onChain));
    }
  }
  found.push(...(await hiddenNodes(walk, task, nodes)));
  const root = await decidingRoot(walk, task, nodes);
  if (root && !TASK_STATUS[root.state]?.includes(detail.status)) {
    found.push(`${task.id} is ${detail.status} while its root is ${root.state}`);
  }
  if (!root && !['draft', 'open', 'selected', 'funding_pending', 'cancelled', 'expired'].includes(detail.status)) {
    found.push(`${task.id} is ${detail.status} without a root node`);
  }
  found.push(...(await deliveryDifferences(task, nodes)));
  found.push(...(await receiptDifferences(task, nodes, stored)));
  return found;
}

/** The root that decides the task's status: the last paid one whose money is still held, else the last paid one. */
async function decidingRoot(
  walk: Walk,
  { escrow }: WalkTask,
  nodes: readonly SeenNode[],
): Promise<SeenNode | undefined> {
  const roots = (await fundedIn(walk, escrow))
    .map((path) => nodes.find((node) => pathOf(node) === path))
    .filter((node) => node?.parent_node_id === null);
  return roots.findLast((node) => !['released', 'refunded'].includes(node?.state ?? '')) ?? roots.at(-1);
}

/** Paths of all nodes that the escrow has ever had, in the order in which they were paid. */
async function fundedIn(walk: Walk, escrow: string): Promise<bigint[]> {
  const logs = await walk.market.chain.anvil.rpc<{ topics: string[] }[]>('eth_getLogs', {
    fromBlock: '0x0',
    address: escrow,
    topics: [id(NODE_FUNDED)],
  });
  return logs.map(({ topics }) => BigInt(topics[1]!));
}

function nodeDifferences(node: SeenNode, stored: StoredNode): string[] {
  const seen: Record<string, unknown> = {
    state: node.state,
    unallocated: node.unallocated?.amount,
    artifact: node.artifact_hash ?? ZERO_HASH,
    deliverBy: Date.parse(node.delivery_deadline) / 1000,
    parent: node.parent_node_id === null ? 0n : pathOf({ id: node.parent_node_id }),
    hirerFunded: node.backing === 'hirer_funded',
    floor: node.floor.amount,
    revisions: node.revisions,
    maxRevisions: node.max_revisions,
    payOut: node.pay_out ?? false,
  };
  const own: Record<string, unknown> = {
    state: wireNodeState(stored.state),
    unallocated: node.unallocated === undefined ? undefined : formatUsdc(stored.amount - stored.allocated),
    artifact: stored.artifactHash.toLowerCase(),
    deliverBy: stored.deliverBy,
    parent: parentPath(pathOf(node)),
    hirerFunded: stored.hirerFunded,
    floor: formatUsdc(stored.floor),
    revisions: stored.revisions,
    maxRevisions: stored.maxRevisions,
    payOut: stored.payOut,
  };
  return Object.keys(own)
    .filter((name) => seen[name] !== own[name])
    .map((name) => `${node.id} ${name}: HTTP ${String(seen[name])}, chain ${String(own[name])}`);
}

/** Nodes that are on the chain but not shown by HTTP. */
async function hiddenNodes(walk: Walk, task: WalkTask, nodes: readonly SeenNode[]): Promise<string[]> {
  const shown = new Set(nodes.map(pathOf));
  const hidden = (await fundedIn(walk, task.escrow)).filter((path) => !shown.has(path));
  return hidden.map((path) => `${task.id} hides node ${pathText(path)}`);
}

async function deliveryDifferences(task: WalkTask, nodes: readonly SeenNode[]): Promise<string[]> {
  const { data } = bodyOf(await task.buyer.get(`/v1/deliveries?task_id=${task.id}&limit=100`));
  const found: string[] = [];
  for (const node of nodes) {
    const own = data.filter((delivery: any) => delivery.node_id === node.id);
    const newest = own.toSorted((a: any, b: any) => b.revision - a.revision)[0];
    if (newest?.artifact_hash !== node.artifact_hash) {
      found.push(`${node.id} has ${node.artifact_hash}, its newest delivery is ${newest?.artifact_hash}`);
    }
    const status = { released: 'released', rejected: 'rejected' }[node.state];
    if (newest !== undefined && status !== undefined && newest.status !== status) {
      found.push(`${node.id} is ${node.state}, its newest delivery ${newest.status}`);
    }
  }
  return found;
}

/**
 * Differences in receipts: there must be one for every refunded node, and for every released one whose money no node
 * above can take back.
 */
async function receiptDifferences(
  task: WalkTask,
  nodes: readonly SeenNode[],
  stored: ReadonlyMap<string, StoredNode>,
): Promise<string[]> {
  const { data } = bodyOf(await task.buyer.get(`/v1/receipts?task_id=${task.id}&limit=100`));
  const shown = data.map((one: any) => `${one.node_id} ${one.outcome}`).toSorted();
  const due = nodes
    .filter((node) => node.state === 'refunded' || (node.state === 'released' && isPaid(node, nodes, stored)))
    .map((node) => `${node.id} ${node.state}`)
    .toSorted();
  return shown.join() === due.join() ? [] : [`${task.id} receipts: HTTP ${shown.join()}, chain ${due.join()}`];
}

function isPaid(node: SeenNode, nodes: readonly SeenNode[], stored: ReadonlyMap<string, StoredNode>): boolean {
  if (stored.get(node.id)?.state !== NodeState.Settled) return false;
  if (node.backing === 'hirer_funded') return true;
  const parent = nodes.find(({ id }) => id === node.parent_node_id);
  return parent !== undefined && isPaid(parent, nodes, stored);
}

async function earningsDifferences(walk: Walk, trader: Trader): Promise<string[]> {
  const { claimable } = bodyOf(await trader.get('/v1/earnings'));
  let onChain = 0n;
  for (const task of walk.tasks) {
    const data = await nodesOf(walk, task);
    for (const node of data.filter((one) => one.worker_agent_id === trader.agentId)) {
      onChain += BigInt(await walk.market.view(task.escrow, taskEscrowAbi, 'withdrawable', [pathOf(node)]));
      if (await pays(walk, task, data, node)) onChain += await returnsTo(walk, task, data, node);
    }
  }
  if (claimable === formatUsdc(onChain)) return [];
  return [`${trader.name} claimable: HTTP ${claimable}, chain ${formatUsdc(onChain)}`];
}

/** True when, by the contract's clocks, the node and all nodes that its money comes from are settled. */
async function pays(walk: Walk, task: WalkTask, nodes: readonly SeenNode[], node: SeenNode): Promise<boolean> {
  const state = await walk.market.view(task.escrow, taskEscrowAbi, 'effectiveState', [pathOf(node)]);
  if (Number(state) !== NodeState.Settled) return false;
  const parent = nodes.find(({ id }) => id === node.parent_node_id);
  return node.backing === 'hirer_funded' || parent === undefined || pays(walk, task, nodes, parent);
}

/** Base units that return to a node as soon as anybody finalizes the children paid from it whose time is over. */
async function returnsTo(
  walk: Walk,
  task: WalkTask,
  nodes: readonly SeenNode[],
  { id: parentId }: SeenNode,
): Promise<bigint> {
  const now = await walk.market.nowSeconds();
  let sum = 0n;
  for (const child of nodes.filter((one) => one.parent_node_id === parentId && one.backing === 'contingent')) {
    const stored = await storedNode(walk, task.escrow, pathOf(child));
    if (stored === null || now <= stored.clock) continue;
    if (stored.state === NodeState.Rejected) sum += stored.amount;
    // An arbiter who stays silent leaves the worker's side what both have signed.
    if (stored.state === NodeState.Disputed) sum += stored.amount - parseUsdc(child.floor.amount);
  }
  return sum;
}

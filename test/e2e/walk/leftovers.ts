import { NodeState, taskEscrowAbi } from '../../../libs/contracts/src/index.js';
import { formatUsdc, pathText } from '../../../libs/kernel/src/index.js';
import { pathOf, type SeenNode } from './node-requests.js';
import { storedNode } from './outcome.js';
import { bodyOf, type Trader } from './trader.js';
import type { Walk, WalkTask } from './walk.js';

/**
 * What is still in the escrows, for a person who must find out why. For each escrow: its balance, each of its nodes on
 * the chain, each returned balance, and what the service answers to whoever wants to withdraw. Empty when nothing is
 * left.
 */
export async function leftovers(walk: Walk): Promise<string[]> {
  const lines: string[] = [];
  for (const task of walk.tasks) {
    const left = await walk.market.chain.balanceOf(task.escrow);
    if (left > 0n) lines.push(...(await leftInEscrow(walk, task, left)));
  }
  return lines;
}

async function leftInEscrow(walk: Walk, task: WalkTask, left: bigint): Promise<string[]> {
  const { body } = await task.buyer.get(`/v1/tasks/${task.id}`);
  const answer = await task.buyer.get(`/v1/tasks/${task.id}/nodes?limit=100`);
  const nodes: SeenNode[] = bodyOf(answer).data;
  const now = await walk.market.nowSeconds();
  const lines = [
    `${task.id} (${body.status}, buyer ${task.buyer.name}) holds ${formatUsdc(left)} at ${now}; the buyer may: ${body.allowed_actions?.join(' ')}`,
  ];
  for (const node of nodes.toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1))) {
    lines.push(await nodeLine(walk, task, node, now));
  }
  for (const trader of walk.traders) {
    const back: bigint = await walk.market.view(task.escrow, taskEscrowAbi, 'refundOf', [trader.address]);
    const asked = await answers(task, trader);
    if (back > 0n || asked.length > 0)
      lines.push(`  ${trader.name}: refundOf ${formatUsdc(back)}; ${asked.join('; ')}`);
  }
  return lines;
}

/** One line about a node: its stored state, its effective state, and what its worker could withdraw. */
async function nodeLine(walk: Walk, task: WalkTask, node: SeenNode, now: number): Promise<string> {
  const path = pathOf(node);
  const stored = await storedNode(walk, task.escrow, path);
  if (stored === null) return `  node ${pathText(path)}: not on the chain, by HTTP ${node.state}`;
  const effective = Number(await walk.market.view(task.escrow, taskEscrowAbi, 'effectiveState', [path]));
  const withdrawable: bigint = await walk.market.view(task.escrow, taskEscrowAbi, 'withdrawable', [path]);
  const worker = walk.traders.find(({ agentId }) => agentId === node.worker_agent_id);
  const own = worker && bodyOf(await worker.get(`/v1/tasks/${task.id}/nodes?limit=100`)).data;
  const may: string[] = own?.find(({ id }: SeenNode) => id === node.id)?.allowed_actions ?? [];
  return [
    `  node ${pathText(path)}: ${nameOf(stored.state)} (in effect ${nameOf(effective)}`,
    ` ${now - stored.clock} s after its clock; by HTTP ${node.state}, ${node.effective_state})`,
    `, ${node.backing}, worker ${worker?.name}, pool ${formatUsdc(stored.amount)}, allocated ${formatUsdc(stored.allocated)}, floor ${formatUsdc(stored.floor)}`,
    `, withdrawable ${formatUsdc(withdrawable)}; its worker may: ${may.join(' ')}`,
  ].join('');
}

/** What the service answers to a trader who wants to withdraw money from the task. */
async function answers(task: WalkTask, trader: Trader): Promise<string[]> {
  const destination = trader.address;
  const earned = await trader.post('worker', '/v1/earnings/withdrawal-intents', {
    body: { destination, task_id: task.id },
  });
  const back = await trader.post('buyer', `/v1/tasks/${task.id}/refund-withdrawal-intents`, { body: { destination } });
  return [
    ...(earned.status === 403 || earned.status === 404 ? [] : [`earnings ${short(earned)}`]),
    ...(back.status === 403 || back.status === 404 ? [] : [`refund ${short(back)}`]),
  ];
}

function short({ status, body }: { status: number; body: any }): string {
  const { error } = body ?? {};
  return error === undefined
    ? `${status}`
    : `${status} ${error.code}: ${error.reason} ${error.suggestion ?? ''}`.trim();
}

function nameOf(state: number): string {
  return Object.entries(NodeState).find(([, value]) => value === state)?.[0] ?? String(state);
}

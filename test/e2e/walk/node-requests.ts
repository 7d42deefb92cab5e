import { readPathText } from '../../../libs/kernel/src/index.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { usdc } from './steps.js';
import type { Trader } from './trader.js';
import type { Walk, WalkTask } from './walk.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Seconds between the moment at which an offer is prepared and the one at which it is taken up. */
const SLACK = 900;

/** A node as the list of nodes shows it. */
export interface SeenNode {
  id: string;
  parent_node_id: string | null;
  worker_agent_id: string;
  hirer_agent_id: string;
  amount: { amount: string };
  floor: { amount: string };
  revisions: number;
  max_revisions: number;
  state: string;
  effective_state: string;
  backing: string;
  delivery_deadline: string;
  allowed_actions: string[];
  unallocated?: { amount: string };
  artifact_hash?: string;
  pay_out?: boolean;
  due_at?: string;
}

/** A request that prepares an action, and where its answer contains the action. */
export interface NodeRequest {
  scope: Scope;
  path: string;
  body?: unknown;
  isDelivery?: boolean;
}

/** Every kind of action on a node that a worker or hirer can prepare by one request. */
export const NODE_KINDS = [
  'deliver',
  'resolve_task',
  'reject_task',
  'dispute_node',
  'abandon_node',
  'claim_non_delivery',
  'subcontract',
  'withdraw_earnings',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** The node's id on the chain, which is its path in the tree and the last part of its id over HTTP. */
export function pathOf({ id }: Pick<SeenNode, 'id'>): bigint {
  return readPathText(id.slice(id.lastIndexOf('_') + 1)) ?? 0n;
}

/** The request for a kind of action on a node; null when something else that it needs cannot be had. */
export async function nodeRequest(
  walk: Walk,
  kind: NodeKind,
  who: Trader,
  task: WalkTask,
  node: SeenNode,
): Promise<NodeRequest | null> {
  const ofNode = `/v1/tasks/${task.id}/nodes/${node.id}`;
  const reviewed = node.parent_node_id === null ? `/v1/tasks/${task.id}` : ofNode;
  const reviewer: Scope = node.parent_node_id === null ? 'buyer' : 'worker';
  switch (kind) {
    case 'deliver': {
      const custody = await walk.upload(who, `Work of ${who.name} for ${node.id}: ${walk.random.next()}`);
      if (custody === null) return null;
      const payOut = walk.random.of({}, { pay_out: true }, { pay_out: false });
      const body = { task_id: task.id, node_id: node.id, ...custody, ...payOut };
      return { scope: 'worker', path: '/v1/deliveries', body, isDelivery: true };
    }
    case 'resolve_task':
      return { scope: reviewer, path: `${reviewed}/resolution`, body: { resolution: 'accept' } };
    case 'reject_task':
      return { scope: reviewer, path: `${reviewed}/reject-intents`, body: { reason: 'Not what was agreed.' } };
    case 'dispute_node':
      return { scope: 'worker', path: `${ofNode}/dispute-intents` };
    case 'abandon_node':
      return { scope: 'worker', path: `${ofNode}/abandon-intents` };
    case 'claim_non_delivery':
      return { scope: 'read', path: `${ofNode}/non-delivery-claim-intents` };
    case 'subcontract': {
      const quoteId = await standingQuote(walk, who, task, node);
      if (quoteId === null) return null;
      const body = { quote_id: quoteId, accept_window_seconds: task.acceptWindow };
      return { scope: 'worker', path: `${ofNode}/subcontract-intents`, body };
    }
    case 'withdraw_earnings': {
      const body = { destination: who.address, task_id: task.id, node_id: node.id };
      return { scope: 'worker', path: '/v1/earnings/withdrawal-intents', body };
    }
  }
}

/** The nodes of a task as a trader sees them; empty when it may not see them. */
export async function nodesSeenBy(walk: Walk, who: Trader, task: WalkTask): Promise<SeenNode[]> {
  const { status, body } = await walk.get(who, `/v1/tasks/${task.id}/nodes?limit=100`);
  if (status !== 200) return [];
  for (const { due_at: due } of body.data) if (due !== undefined) walk.dues.push(Date.parse(due) / 1000);
  return body.data;
}

/** Prepares a quote with some of the terms that there can be. @returns the action, or null when it was refused. */
export async function offerFor(
  walk: Walk,
  who: Trader,
  task: WalkTask,
  own: { price: string; parent?: SeenNode; hirerFunded?: boolean },
): Promise<any> {
  const { parent, price, hirerFunded } = own;
  const { random } = walk;
  const now = await walk.market.nowSeconds();
  const left = parent === undefined ? 40 * DAY : Date.parse(parent.delivery_deadline) / 1000 - now - SLACK;
  const least = parent === undefined ? DAY : HOUR;
  const workSeconds = Math.max(least, Math.floor(left) - random.between(0, 6) * DAY);
  const answer = await walk.post(who, 'worker', '/v1/quotes', {
    task_id: task.id,
    price: usdc(price),
    work_seconds: workSeconds,
    ...random.of({}, {}, { floor: usdc(price) }, { floor: usdc('0.00') }),
    ...random.of({}, {}, { max_revisions: 0 }, { max_revisions: 1 }),
    terms_hash: task.termsHash,
    ...(parent === undefined ? {} : { parent_node_id: parent.id }),
    ...(hirerFunded === undefined ? {} : { hirer_funded: hirerFunded }),
  });
  return answer.status === 200 ? answer.body : null;
}

async function standingQuote(walk: Walk, who: Trader, task: WalkTask, node: SeenNode): Promise<string | null> {
  const { status, body } = await walk.get(who, `/v1/quotes?task_id=${task.id}&limit=100`);
  if (status !== 200) return null;
  const fits = (quote: any): boolean => quote.parent_node_id === node.id && quote.status === 'submitted';
  return walk.random.pick<any>(body.data.filter(fits))?.id ?? null;
}

import { isRootPath, parentPath } from '#libs/notation';
import {
  type ActionKind,
  type Argument,
  checksumOf,
  conditionFault,
  expectedByRequest,
  NODE_STATES,
  type NodeCondition,
  ruleOf,
  ZERO_ADDRESS,
} from '#libs/prepared-action';
import type { ErrorCode } from '../../http/market-error.js';
import { Refusal } from '../document/refusal.js';
import { allocatedOf, hasRevisionLeft, maxRevisionsOf } from '../state/node-money.js';
import type { FakeNode, FakeTask, MarketState, Party, Schemas } from '../state/market-state.js';
import { FUNDING_MODES } from './action-writing.js';

/** A request to prepare an action, as the document allows it. */
export interface ActionRequest {
  readonly state: MarketState;
  readonly party: Party;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a request makes: the message, and what becomes of it once it holds. */
export interface Planned {
  readonly task: FakeTask;
  readonly own: Readonly<Record<string, Argument>>;
  readonly version: number;
  readonly validUntil?: number;
  readonly effect: () => void;
  /** Of a delivery: what was recorded of it. */
  readonly delivery?: Schemas['Delivery'];
}

/** What a node is refused with that does not meet a condition; absent: a window has closed. */
const CODE_OF: Partial<Record<NodeCondition, ErrorCode>> = {
  no_subcontracts: 'state_conflict',
  deadline_is_over: 'window_not_open',
};

type Members = Readonly<Record<string, string | number | boolean | undefined>>;

/** An action on a node that exists, by one of its two sides or by whoever sees it. */
export function onNode(
  request: ActionRequest,
  kind: ActionKind,
  side: 'worker' | 'hirer' | 'anyone',
  plan: (node: FakeNode) => Pick<Planned, 'own' | 'effect' | 'delivery'> & { version?: number },
): Planned {
  const node = nodeAsked(request);
  const { state, party } = request;
  const isRoot = node.record.parent_node_id === null;
  if (side === 'worker' && node.worker !== party) throw new Refusal('not_node_worker');
  if (side === 'hirer' && state.hirerOf(node) !== party)
    throw new Refusal(isRoot ? 'not_task_buyer' : 'not_node_hirer');
  const refusal = nodeRefusal(state, kind, node);
  if (refusal !== null) throw refusal;
  const { own, ...planned } = plan(node);
  return {
    task: node.task,
    version: node.version,
    ...planned,
    own: own['terms'] === undefined ? { nodeId: String(node.path), ...own } : own,
  };
}

/** Why the node does not allow the kind now, as the service says it; null: it does. */
export function nodeRefusal(market: MarketState, kind: ActionKind, node: FakeNode): Refusal | null {
  const { states = [], nodeCondition = 'none' } = ruleOf(kind) ?? {};
  const name = NODE_STATES[node.state];
  if (name === undefined || !states.includes(name)) {
    return new Refusal(states.every((state) => state === 'funded') ? 'node_not_funded' : 'state_conflict');
  }
  const facts = { ...node, allocated: allocatedOf(node, market.nowSeconds()), maxRevisions: maxRevisionsOf(node) };
  const fault = conditionFault(nodeCondition, name, facts, market.nowSeconds());
  if (fault !== null) {
    const isWorn = nodeCondition === 'deliverable' && name === 'rejected' && !hasRevisionLeft(node);
    return new Refusal(isWorn ? 'state_conflict' : (CODE_OF[nodeCondition] ?? 'window_closed'), fault);
  }
  if (kind !== 'dispute_node' || node.task.parties.arbiter !== ZERO_ADDRESS) return null;
  return new Refusal('state_conflict', 'The task names no arbiter who could rule.');
}

/** The node of the path or the body; without one, the newest that the caller can be meant by. */
export function nodeAsked(request: ActionRequest): FakeNode {
  const { state, party, params } = request;
  const { task_id, node_id } = membersOf(request);
  const task = state.visibleTask(params['task_id'] ?? String(task_id), party);
  const nodeId = params['node_id'] ?? node_id;
  if (nodeId !== undefined) {
    const node = state.node(task, String(nodeId));
    // A body beside a path that names the task alone names one of the task's root nodes.
    if (params['task_id'] !== undefined && params['node_id'] === undefined && !isRootPath(node.path)) {
      throw new Refusal('not_found', 'There is no such node.');
    }
    return node;
  }
  const nodes = [...task.nodes.values()];
  const meant =
    params['task_id'] === undefined
      ? nodes.filter(({ worker }) => worker === party)
      : nodes.filter(({ path }) => parentPath(path) === 0n);
  const newest = meant.at(-1);
  if (newest === undefined) throw new Refusal('node_not_funded');
  return newest;
}

export function ownTask({ state, party, params }: ActionRequest): FakeTask {
  const task = state.visibleTask(params['task_id'], party);
  if (task.owner !== party) throw new Refusal('not_task_buyer');
  return task;
}

/** What follows from the body, in the form of a message. */
export function expectedOf(kind: ActionKind, { party, body }: ActionRequest): Record<string, Argument> {
  return inMessage(expectedByRequest({ kind, principal: party.id, body })) as Record<string, Argument>;
}

function inMessage(value: unknown): Argument {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value as Argument;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inMessage(member)]));
}

export function recipientOf(request: ActionRequest): string {
  return checksumOf(String(membersOf(request)['destination']));
}

export function modeOf(request: ActionRequest): string {
  const { funding_mode = 'authorization' } = membersOf(request);
  return String(FUNDING_MODES.indexOf(String(funding_mode)));
}

export function amountOf(node: FakeNode): { amount: Argument } {
  return { amount: node.terms['amount'] ?? '0' };
}

export function tokenOf({ state }: ActionRequest): string {
  return state.deployment.usdc;
}

export function membersOf({ body }: ActionRequest): Members {
  return (body ?? {}) as Members;
}

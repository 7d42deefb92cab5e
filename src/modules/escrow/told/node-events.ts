import { type EscrowFact, type TreeStep, type WireNodeState, wireNodeState, wireOutcome } from '#libs/contracts';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { utcTime } from '../../../platform/time/unix-time.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { NodeEventData, NodeEvents } from '../../events/catalogue/node-event-data.js';
import type { ResolvedNode, TreeChanged, TreesChanged } from '../../events/tree.events.js';

/** An event is named as the state that it leads to. */
const TYPES: Readonly<Record<WireNodeState, keyof NodeEvents>> = {
  funded: 'node.funded',
  delivered: 'node.delivered',
  rejected: 'node.rejected',
  disputed: 'node.disputed',
  released: 'node.released',
  refunded: 'node.refunded',
};

/** Tells every transition of the tree's nodes that is still to be told. */
export function tellNodes({ taskId, nodes, steps }: TreeChanged, tell: TreesChanged['tell']): void {
  if (steps.length === 0) return;
  const byPath = new Map(nodes.map((node) => [node.node.path, node]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const step of steps) {
    const node = step.path === null ? undefined : byPath.get(step.path);
    const to = step.to === null ? null : wireNodeState(step.to);
    if (!node || to === null || step.to === step.from) continue;
    const from = step.from === null ? null : wireNodeState(step.from);
    const status = { ...(from === null ? {} : { from }), to };
    tell(nodeEvent(TYPES[to], taskId, node, step, { status, ...saidBy(step.chained.fact) }), step);
    const parent = from === null && node.parentNodeId !== null ? byId.get(node.parentNodeId) : undefined;
    if (parent) tell(nodeEvent('node.subcontracted', taskId, parent, step, { child_node_id: node.id }), step);
  }
}

function nodeEvent(
  type: keyof NodeEvents,
  taskId: string,
  { id, node, parentNodeId, workerAgentId, visibleAccountIds }: ResolvedNode,
  { chained }: TreeStep,
  said: Partial<NodeEventData>,
): RecordedEvent<keyof NodeEvents> {
  const { status, ...more } = said;
  return {
    type,
    at: new Date(chained.blockTime * 1000),
    subject: { kind: 'node', id, taskId },
    audience: visibleAccountIds,
    data: {
      ...(status === undefined ? {} : { status }),
      amount: MoneyDto.from(node.amount),
      worker_agent_id: workerAgentId,
      ...(parentNodeId === null ? {} : { parent_node_id: parentNodeId }),
      ...more,
    },
  };
}

/** What the fact itself says of the transition. */
function saidBy(fact: EscrowFact): Partial<NodeEventData> {
  if (fact.type === 'NodeFunded') return { deadline: utcTime(fact.deliverBy) };
  if (fact.type === 'NodeDelivered') return { deadline: utcTime(fact.acceptBy) };
  if (fact.type === 'NodeRejected') return { deadline: utcTime(fact.contestBy) };
  if (fact.type === 'NodeDisputed') return { deadline: utcTime(fact.ruleBy) };
  if (fact.type === 'NodeRefunded') {
    return { outcome: wireOutcome(fact.outcome), hirer_share: MoneyDto.from(fact.amount) };
  }
  if (fact.type !== 'NodeSettled') return {};
  return {
    outcome: wireOutcome(fact.outcome),
    worker_share: MoneyDto.from(fact.workerShare),
    hirer_share: MoneyDto.from(fact.hirerShare),
  };
}

import { byChainOrder, type TreeDelivery, type TreeStep, NodeState, wireNodeState } from '#libs/contracts';
import type { DeliveryEvents } from '../../events/catalogue/delivery-event-data.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import { partiesOf, type ResolvedNode, type TreeChanged, type TreesChanged } from '../../events/tree.events.js';
import { deliveryIdOf } from '../delivery-id.js';
import type { DeliveryStatus } from '../delivery.entity.js';
import { deliveryStatusOf } from '../delivery.lifecycle.js';

/** A status that has an event; custody, which makes a delivery `available`, is no fact of the chain. */
type ToldStatus = Exclude<DeliveryStatus, 'available'>;

const TYPES: Readonly<Record<ToldStatus, keyof DeliveryEvents>> = {
  submitted: 'delivery.submitted',
  rejected: 'delivery.rejected',
  released: 'delivery.released',
};

/** Tells every change of the tree's deliveries that is still to be told. A fact concerns the newest by then alone. */
export function tellDeliveries(tree: TreeChanged, tell: TreesChanged['tell']): void {
  if (tree.steps.length === 0 || tree.projection.deliveries.length === 0) return;
  const nodes = new Map(tree.nodes.map((node) => [node.node.path, node]));
  const deliveries = byNode(tree.projection.deliveries);
  const statuses = new Map<TreeDelivery, ToldStatus>();
  for (const step of tree.steps) {
    const node = step.path === null ? undefined : nodes.get(step.path);
    const delivery = step.path === null ? undefined : newestAt(deliveries.get(step.path) ?? [], step);
    if (!node || !delivery) continue;
    const from = statuses.get(delivery) ?? statusBefore(delivery, step);
    const to = statusAfter(step, from);
    if (to === null || to === from) continue;
    statuses.set(delivery, to);
    tell(deliveryEvent(tree, node, delivery, { ...(from === null ? {} : { from }), to }, step), step);
  }
}

function byNode(deliveries: readonly TreeDelivery[]): Map<bigint, TreeDelivery[]> {
  const own = new Map<bigint, TreeDelivery[]>();
  for (const delivery of deliveries) {
    const known = own.get(delivery.nodePath);
    if (known) known.push(delivery);
    else own.set(delivery.nodePath, [delivery]);
  }
  return own;
}

/** The newest delivery that the node had right after the step. */
function newestAt(deliveries: readonly TreeDelivery[], { chained }: TreeStep): TreeDelivery | undefined {
  return deliveries.findLast(({ delivered }) => byChainOrder(delivered, chained) <= 0);
}

/** The status right before a step, by the state that the node then had; null before the delivery was there. */
function statusBefore({ delivered }: TreeDelivery, { chained, from }: TreeStep): ToldStatus | null {
  if (byChainOrder(delivered, chained) === 0) return null;
  if (from === NodeState.Delivered) return 'submitted';
  return from === NodeState.Settled ? 'released' : 'rejected';
}

function statusAfter({ chained: { fact }, to }: TreeStep, from: ToldStatus | null): ToldStatus | null {
  if (fact.type === 'NodeDelivered') return 'submitted';
  if (fact.type === 'NodeRejected') return 'rejected';
  if (fact.type === 'NodeSettled') return 'released';
  if (fact.type !== 'NodeRefunded' || to === null) return null;
  return toldStatus(deliveryStatusOf({ status: from ?? 'submitted' }, wireNodeState(to)));
}

function toldStatus(status: DeliveryStatus): ToldStatus | null {
  return status === 'available' ? null : status;
}

function deliveryEvent(
  tree: TreeChanged,
  node: ResolvedNode,
  { revision, artifactHash }: TreeDelivery,
  status: { from?: ToldStatus; to: ToldStatus },
  { chained }: TreeStep,
): RecordedEvent<keyof DeliveryEvents> {
  return {
    type: TYPES[status.to],
    at: new Date(chained.blockTime * 1000),
    subject: { kind: 'delivery', id: deliveryIdOf(node.id, revision), taskId: tree.taskId },
    audience: partiesOf(tree, node),
    data: { status, node_id: node.id, revision, artifact_hash: artifactHash },
  };
}

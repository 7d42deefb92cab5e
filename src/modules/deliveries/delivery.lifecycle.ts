import type { TreeDelivery, WireNodeState } from '#libs/contracts';
import type { DeliveryStatus } from './delivery.entity.js';

/** Events that change a delivery's status. All but `stored` are facts of the chain, which a reorganisation may undo. */
export type DeliveryEvent =
  /** The artifact is in the custody of the worker's account. */
  | 'stored'
  /** The node was released with this delivery: accepted, accepted by silence, agreed or ruled on. */
  | 'released'
  /** The hirer rejected the delivery, or the node's money went back. */
  | 'rejected';

/**
 * The status changes of a delivery (docs/decisions/interface.md#lifecycles). A new delivery of the node is a separate
 * record and leaves this one `rejected`. A rejection is not final: the hirer may still accept, and an arbiter may rule
 * for the worker.
 */
export const DELIVERY_TRANSITIONS: Readonly<
  Record<DeliveryStatus, Readonly<Partial<Record<DeliveryEvent, DeliveryStatus>>>>
> = {
  submitted: { stored: 'available', released: 'released', rejected: 'rejected' },
  available: { released: 'released', rejected: 'rejected' },
  rejected: { released: 'released' },
  released: {},
};

/** The status after an event; an event without a transition from this status changes nothing. */
export function deliveryAfter(status: DeliveryStatus, event: DeliveryEvent): DeliveryStatus {
  return DELIVERY_TRANSITIONS[status][event] ?? status;
}

/**
 * The status of a delivery by the chain, for a node in this state. When the node's money went back, the delivery counts
 * as rejected, even without an explicit rejection (a split that leaves the worker nothing).
 */
export function deliveryStatusOf({ status }: Pick<TreeDelivery, 'status'>, node: WireNodeState | null): DeliveryStatus {
  const byChain = status === 'submitted' ? status : deliveryAfter('submitted', status);
  return node === 'refunded' ? deliveryAfter(byChain, 'rejected') : byChain;
}

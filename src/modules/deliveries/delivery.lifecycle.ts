import type { TreeDelivery, WireNodeState } from '#libs/contracts';
import type { DeliveryStatus } from './delivery.entity.js';

/** What moves a delivery. All but `stored` are facts of the chain, and a reorganisation may take each of those back. */
export type DeliveryEvent =
  /** Its artifact is in the custody of its worker's account. */
  | 'stored'
  /** The node was released with it: accepted, accepted by silence, agreed or ruled on. */
  | 'released'
  /** Its hirer rejected it, or the node's money went back. */
  | 'rejected';

/**
 * The table of a delivery's life (docs/decisions/interface.md#lifecycles). A new delivery of the node is a record of
 * its own and leaves this one `rejected`. A rejection is not the end: its hirer may give in, and an arbiter may rule
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

/** The status after an event; an event that the status does not know changes nothing. */
export function deliveryAfter(status: DeliveryStatus, event: DeliveryEvent): DeliveryStatus {
  return DELIVERY_TRANSITIONS[status][event] ?? status;
}

/**
 * The status that the chain gives a delivery of a node in this state. One of a node whose money went back was not
 * taken, be it without a word (a split that leaves the worker nothing).
 */
export function deliveryStatusOf({ status }: Pick<TreeDelivery, 'status'>, node: WireNodeState | null): DeliveryStatus {
  const byChain = status === 'submitted' ? status : deliveryAfter('submitted', status);
  return node === 'refunded' ? deliveryAfter(byChain, 'rejected') : byChain;
}

/**
 * Whether the artifact of a delivery is in custody, in SQL: then `deliveryAfter(status, 'stored')` is what is shown.
 * @param delivery alias of a row of `deliveries`.
 */
export function isKeptSql(delivery: string): string {
  return `EXISTS (
          SELECT 1 FROM artifact_custody kept
          WHERE kept.account_id = ${delivery}.worker_account_id AND kept.artifact_hash = ${delivery}.artifact_hash)`;
}

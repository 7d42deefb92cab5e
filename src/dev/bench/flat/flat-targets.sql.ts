/** What a caller acts on: what is its own to act on if there is any, else another's, which it is refused. */
export interface FlatTargets {
  /** A task that offers were made for. */
  open: string | null;
  /** Another's public task that takes offers. */
  offered: string | null;
  terms_hash: string | null;
  /** A task whose buyer has chosen. */
  chosen: string | null;
  delivered: string | null;
  refunded: string | null;
  funded_node: Place | null;
  hired_node: Place | null;
  rejected_node: Place | null;
  delivered_node: Place | null;
  quote_id: string | null;
  /** A delivery whose artifact is in custody. */
  delivery_id: string | null;
  receipt_id: string | null;
}

/** A node and its task. */
export interface Place {
  task_id: string;
  node_id: string;
}

/** Tasks that are on the chain; made ones are not. */
const REAL = `task_id NOT LIKE 'task\\_01z%'`;

const task = (statuses: string): string =>
  `(SELECT id FROM (SELECT id, id AS task_id, buyer_account_id FROM tasks WHERE status IN (${statuses})) AS task
    WHERE ${REAL} ORDER BY (buyer_account_id = $1) DESC, id DESC LIMIT 1)`;

const node = (condition: string, own: string): string =>
  `(SELECT json_build_object('task_id', task_id, 'node_id', id) FROM escrow_nodes WHERE ${REAL} AND ${condition}
    ORDER BY (${own} = $1) DESC, id LIMIT 1)`;

const OFFERED = (column: string): string =>
  `(SELECT ${column} FROM tasks WHERE status = 'open' AND tier = 'public' AND buyer_account_id <> $1 ORDER BY id LIMIT 1)`;

/** One row, of the account $1. */
export const FLAT_TARGETS = `SELECT ${task(`'open'`)} AS open,
    ${OFFERED('id')} AS offered, ${OFFERED('terms_hash')} AS terms_hash,
    ${task(`'selected', 'funding_pending'`)} AS chosen, ${task(`'delivered'`)} AS delivered, ${task(`'refunded'`)} AS refunded,
    ${node(`state = 'funded' AND allocated = 0`, 'worker_account_id')} AS funded_node,
    ${node(`state = 'funded'`, 'hirer_account_id')} AS hired_node,
    ${node(`state = 'rejected'`, 'worker_account_id')} AS rejected_node,
    ${node(`state = 'delivered' AND parent_node_id IS NOT NULL`, 'hirer_account_id')} AS delivered_node,
    (SELECT id FROM quotes WHERE ${REAL} AND status = 'submitted' ORDER BY (payer_account_id = $1) DESC, id LIMIT 1) AS quote_id,
    (SELECT delivery.id FROM deliveries delivery JOIN artifact_custody USING (artifact_hash) WHERE ${REAL}
      ORDER BY ($1 IN (buyer_account_id, payer_account_id, delivery.worker_account_id)) DESC, delivery.id LIMIT 1) AS delivery_id,
    (SELECT id FROM receipts WHERE ${REAL}
      ORDER BY ($1 IN (buyer_account_id, payer_account_id, worker_account_id)) DESC, id LIMIT 1) AS receipt_id`;

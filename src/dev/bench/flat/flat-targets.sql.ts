/**
 * What one caller acts on: something that it may act on where such a thing exists, else something of another account's,
 * which the service refuses.
 */
export interface FlatTargets {
  /** A task with a submitted quote. */
  open: string | null;
  /** A public task of another account that is open to quotes. */
  offered: string | null;
  terms_hash: string | null;
  /** A private task that is open to quotes. */
  curated: string | null;
  /** An active agent of another account. */
  other_agent: string;
  /** A task whose buyer has chosen an agent. */
  chosen: string | null;
  delivered: string | null;
  refunded: string | null;
  funded_node: Place | null;
  /** A funded node whose delivery deadline has passed; preferably one that the account pays for. */
  overdue_node: Place | null;
  /** A rejected node whose worker may still dispute the rejection. */
  rejected_node: Place | null;
  delivered_node: Place | null;
  /** A funded node for which a quote for a child node was submitted. */
  hiring: (Place & { quote_id: string }) | null;
  /** A delivery whose artifact is in custody, so that its worker may always read it. */
  delivery_id: string | null;
  receipt_id: string | null;
  /** The newest event that the account may read. */
  event_id: string | null;
}

/** Ids of a node and of its task. */
export interface Place {
  task_id: string;
  node_id: string;
}

/** SQL condition that selects tasks that are on the chain; generated tasks are not. */
const REAL = `task_id NOT LIKE 'task\\_01z%'`;

const task = (statuses: string, condition = 'true'): string =>
  `(SELECT id FROM (SELECT id, id AS task_id, buyer_account_id FROM tasks
      WHERE status IN (${statuses}) AND ${condition}) AS task
    WHERE ${REAL} ORDER BY (buyer_account_id = $1) DESC, id DESC LIMIT 1)`;

const node = (condition: string, own: string): string =>
  `(SELECT json_build_object('task_id', task_id, 'node_id', id) FROM escrow_nodes WHERE ${REAL} AND ${condition}
    ORDER BY (${own} = $1) DESC, task_id DESC LIMIT 1)`;

const OFFERED_TO = `EXISTS (SELECT 1 FROM quotes WHERE task_id = tasks.id AND status = 'submitted' AND node_path NOT LIKE '%-%')`;
const ARBITRATED = `task_id IN (SELECT id FROM tasks WHERE arbiter_wallet <> '0x' || repeat('0', 40))`;

/** The chain's clock, which is ahead of this machine's once the bench has let a deadline pass. */
const CHAIN_NOW = '(SELECT max(timestamp) FROM chain_blocks)';

const OFFERED = (column: string): string =>
  `(SELECT ${column} FROM tasks WHERE status = 'open' AND tier = 'public' AND buyer_account_id <> $1 ORDER BY id LIMIT 1)`;

/** One row with the targets of the account $1. */
export const FLAT_TARGETS = `SELECT ${task(`'open'`, OFFERED_TO)} AS open,
    ${OFFERED('id')} AS offered, ${OFFERED('terms_hash')} AS terms_hash,
    ${task(`'selected', 'funding_pending'`)} AS chosen, ${task(`'delivered'`)} AS delivered, ${task(`'refunded'`)} AS refunded,
    ${task(`'open'`, `tier = 'private_curated'`)} AS curated,
    (SELECT id FROM agents WHERE account_id <> $1 AND status = 'active' ORDER BY id LIMIT 1) AS other_agent,
    ${node(`state = 'funded' AND allocated = 0 AND delivery_deadline > ${CHAIN_NOW}`, 'worker_account_id')} AS funded_node,
    ${node(`state = 'funded' AND delivery_deadline < ${CHAIN_NOW}`, 'hirer_account_id')} AS overdue_node,
    ${node(`state = 'rejected' AND clock > ${CHAIN_NOW} AND ${ARBITRATED}`, 'worker_account_id')} AS rejected_node,
    ${node(`state = 'delivered' AND parent_node_id IS NOT NULL`, 'hirer_account_id')} AS delivered_node,
    (SELECT json_build_object('task_id', node.task_id, 'node_id', node.id, 'quote_id', quote.id)
      FROM quotes quote JOIN escrow_nodes node ON node.task_id = quote.task_id AND node.path = substring(quote.node_path FROM '^(.+)-')
      WHERE quote.${REAL} AND quote.status = 'submitted' AND node.state = 'funded'
      ORDER BY (payer_account_id = $1) DESC, quote.id LIMIT 1) AS hiring,
    (SELECT delivery.id FROM deliveries delivery JOIN artifact_custody USING (artifact_hash) WHERE ${REAL}
      ORDER BY (delivery.worker_account_id = $1) DESC, delivery.id LIMIT 1) AS delivery_id,
    (SELECT id FROM receipts WHERE ${REAL}
      ORDER BY ($1 IN (buyer_account_id, payer_account_id, worker_account_id)) DESC, id LIMIT 1) AS receipt_id,
    (SELECT event.id FROM events event JOIN event_audience audience USING (sequence)
      WHERE audience.account_id = $1 ORDER BY sequence DESC LIMIT 1) AS event_id`;

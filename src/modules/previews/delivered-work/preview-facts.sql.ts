import type { Hex } from '#libs/kernel';

/** A delivery with what its node and its worker are now. */
export interface DeliveredRow {
  delivery_id: string;
  node_id: string;
  artifact_hash: Hex;
  revision: number;
  delivered_at: Date;
  worker_agent_id: string;
  worker_name: string | null;
  worker_account_id: string | null;
  node_state: string;
  review_until: Date | null;
}

/** An account's relations to a task. */
export interface StandingRow {
  is_party: boolean;
  owns_active_agent: boolean;
}

/**
 * A node's newest delivery for the task $1 and the payer $2, while its money is still in the node or was released for
 * it.
 */
const DELIVERED = `
  SELECT d.id AS delivery_id, d.node_id, d.artifact_hash, d.revision, d.created_at AS delivered_at,
         n.worker_agent_id, worker.name AS worker_name, d.worker_account_id, n.state AS node_state,
         CASE WHEN n.state = 'delivered' THEN n.clock END AS review_until
    FROM deliveries d JOIN escrow_nodes n ON n.id = d.node_id
    LEFT JOIN agents worker ON worker.id = n.worker_agent_id
   WHERE d.task_id = $1 AND d.payer_account_id = $2 AND n.artifact_hash = d.artifact_hash
     AND n.state IN ('delivered', 'rejected', 'disputed', 'released')`;

/** One that waits for its answer before all others. */
export const NEWEST_DELIVERY = `${DELIVERED} ORDER BY (n.state = 'delivered') DESC, d.created_at DESC, d.id DESC LIMIT 1`;

/** $3 id of the delivery. */
export const DELIVERY_BY_ID = `${DELIVERED} AND d.id = $3`;

/** $3 node, $4 hash of the artifact. */
export const DELIVERY_OF_ARTIFACT = `${DELIVERED} AND d.node_id = $3 AND d.artifact_hash = $4 ORDER BY d.created_at DESC, d.id DESC LIMIT 1`;

/** Whether the account $1 is a party of the task $2 other than its buyer, and whether it owns an active agent. */
export const STANDING = `SELECT EXISTS (SELECT 1 FROM task_parties
                       WHERE account_id = $1 AND task_id = $2 AND role <> 'buyer') AS is_party,
              EXISTS (SELECT 1 FROM agents WHERE account_id = $1 AND status = 'active') AS owns_active_agent`;

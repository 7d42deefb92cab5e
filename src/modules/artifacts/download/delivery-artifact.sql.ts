import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** What an account has to do with the artifact of a delivery. */
export interface StandingRow {
  task_id: string;
  artifact_hash: string;
  worker_account_id: string | null;
  is_payer: boolean;
  is_worker: boolean;
  is_released: boolean;
}

/**
 * Placeholders: delivery, account, now. Gives no row when the account may not see such a delivery
 * (docs/decisions/interface.md#visibility).
 *
 * `is_released` is as of now, finalized on the chain or not: the node is released with this very artifact, or it is
 * delivered, or disputed with a floor, with this artifact and its clock has passed
 * (libs/contracts/src/tree/node-clock.ts, `effectiveState`). A node that only time has released does not count when its money went back with a node above it.
 */
export const STANDING: PreparedStatement = {
  name: 'delivery-artifact-standing',
  text: `WITH RECURSIVE delivered AS (
      SELECT d.task_id, d.artifact_hash, d.worker_account_id, d.payer_account_id, n.parent_node_id, n.hirer_funded,
        n.state, n.clock, n.floor, n.artifact_hash = d.artifact_hash AS is_current
      FROM deliveries d JOIN escrow_nodes n ON n.id = d.node_id
      WHERE d.id = $1 AND $2 IN (d.payer_account_id, d.buyer_account_id, d.worker_account_id)
    ), backers AS (
      SELECT up.parent_node_id, up.hirer_funded, up.state, up.clock
      FROM delivered JOIN escrow_nodes up ON up.id = delivered.parent_node_id WHERE NOT delivered.hirer_funded
      UNION ALL
      SELECT up.parent_node_id, up.hirer_funded, up.state, up.clock
      FROM backers below JOIN escrow_nodes up ON up.id = below.parent_node_id WHERE NOT below.hirer_funded
    )
    SELECT task_id, artifact_hash, worker_account_id,
      payer_account_id IS NOT DISTINCT FROM $2 AS is_payer, worker_account_id IS NOT DISTINCT FROM $2 AS is_worker,
      coalesce(is_current, false) AND (
        state = 'released' OR (
          (state = 'delivered' OR (state = 'disputed' AND floor > 0)) AND clock < $3::timestamptz AND NOT EXISTS (
            SELECT 1 FROM backers
            WHERE backers.state = 'refunded' OR (backers.state = 'rejected' AND backers.clock < $3::timestamptz)
          ))) AS is_released
    FROM delivered`,
};

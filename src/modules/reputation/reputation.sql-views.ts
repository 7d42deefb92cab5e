import { clusterOf } from './clusters/clusters.sql-views.js';
import { PAYER_SQL } from './clusters/principals.js';

/**
 * The ended nodes of an agent, the newest first, each with the independence of who paid for it (null before the first run
 * that knew the payer): one range of one index.
 * @param agentId placeholder of the agent's id.
 * @param below placeholders of the time and the node to start below.
 */
export function settledWorkOf(agentId: string, [settledAt, nodeId]: readonly [string, string], limit: number): string {
  return `SELECT work.*, (SELECT independence FROM buyer_independence
      WHERE cluster_id = ${clusterOf('work.payer')}) AS independence
    FROM (SELECT node_id, task_id, payer_wallet, worker_wallet, amount, released, outcome, settled_at, ${PAYER_SQL} AS payer
      FROM settlements WHERE agent_id = ${agentId} AND (settled_at, node_id) < (${settledAt}::timestamptz, ${nodeId})
      ORDER BY settled_at DESC, node_id DESC LIMIT ${limit}) AS work`;
}

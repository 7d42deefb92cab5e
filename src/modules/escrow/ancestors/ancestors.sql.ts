import { MAX_LEVELS } from '#libs/kernel';
import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Reads a node and its ancestors, the node first and the root last. Placeholders: task, path of the node. */
export const ANCESTORS: PreparedStatement = {
  name: 'node-ancestors',
  text: `
  WITH RECURSIVE line AS (
    SELECT node.*, 1 AS level FROM escrow_nodes node WHERE node.task_id = $1 AND node.path = $2
    UNION ALL
    SELECT above.*, line.level + 1 FROM line
    JOIN escrow_nodes above ON above.id = line.parent_node_id WHERE line.level < ${MAX_LEVELS}
  )
  SELECT path, state, clock, delivery_deadline, floor - allocated AS unallocated, hirer_funded,
         worker_agent_id, worker_account_id, worker_wallet
  FROM line ORDER BY level`,
};

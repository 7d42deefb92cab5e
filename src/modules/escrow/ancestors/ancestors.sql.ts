import { MAX_LEVELS } from '#libs/kernel';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { returnedTo } from '../node/node-ancestors.sql.js';
import { stateAt } from '../node/node-clocks.sql.js';

/**
 * Reads a node and its ancestors, the node first and the root last: $1 task, $2 path of the node, $3 now. Each is in the
 * state that time has decided. What a passed time limit has sent back to a node is not promised any more. Only the first
 * node's is looked up: nobody is hired under the others.
 */
export const ANCESTORS: PreparedStatement = {
  name: 'node-ancestors',
  text: `
  WITH RECURSIVE line AS (
    SELECT node.*, 1 AS level FROM escrow_nodes node WHERE node.task_id = $1 AND node.path = $2
    UNION ALL
    SELECT above.*, line.level + 1 FROM line
    JOIN escrow_nodes above ON above.id = line.parent_node_id WHERE line.level < ${MAX_LEVELS}
  )
  SELECT path, ${stateAt('$3')} AS state, delivery_deadline,
         floor - allocated + CASE WHEN level = 1 THEN ${returnedTo('line', '$3')} ELSE 0 END AS unallocated, hirer_funded,
         worker_agent_id, worker_account_id, worker_wallet
  FROM line ORDER BY level`,
};

import type { PreparedStatement } from '../../platform/database/transactions.js';
import { tasksOfParty } from '../tasks/tasks.sql-views.js';

/** SQL of the newest indexed block: its `number` and its `timestamp`; no row while there is none. */
export const NEWEST_BLOCK = 'SELECT number, timestamp FROM chain_blocks ORDER BY number DESC LIMIT 1';

/** Reads it; no row while the index has none. */
export const INDEX_TIP: PreparedStatement = { name: 'index-tip', text: NEWEST_BLOCK };

export interface NewestBlockRow {
  number: number;
  timestamp: Date;
}

/**
 * The mask that a fact of the alias `fact` leaves its word with, if it cancels nonces. A process from before there was the
 * column has left it empty.
 */
export const CANCELLED_MASK = `coalesce(fact.cancelled_mask, fact.fact->>'mask')`;

/**
 * The condition, order and limit of the newest fact of the alias `fact` that cancels nonces of a word, of one signer in one
 * tree.
 */
export const LATEST_CANCELLATION = (taskId: string, signer: string, word: string): string =>
  `fact.task_id = ${taskId} AND fact.fact->>'type' = 'NoncesInvalidated' AND fact.fact->>'signer' = ${signer}
    AND fact.fact->>'word' = ${word} ORDER BY fact.block_number DESC, fact.log_index DESC LIMIT 1`;

/** Facts of the alias `fact` that are payments of roots, as in the indexes of them. The path of a root is one index of 24 bits. */
export const ROOT_PAYMENT = `fact.fact->>'type' = 'NodeFunded' AND (fact.fact->>'nodeId')::numeric < ${2 ** 24}`;

/**
 * True in SQL for a node in which an account hires or works. The accounts of nodes are in no index, so it names the tasks
 * of the account, through which they are found.
 * @param node alias of the node. @param account placeholder of the account's id.
 */
export function isInNode(node: string, account: string): string {
  return `(${node}.task_id = ${tasksOfParty(account)}
    AND ${account} IN (${node}.hirer_account_id, ${node}.worker_account_id))`;
}

/**
 * The ids of the nodes in which an account hires or works, to compare an id with by `=`; see `tasksOfParty`.
 * @param further a condition on the row `node`.
 */
export function nodesOfParty(account: string, further = 'true'): string {
  return `ANY (ARRAY(SELECT node.id FROM escrow_nodes node WHERE ${isInNode('node', account)} AND ${further}))`;
}

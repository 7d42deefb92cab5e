import type { PreparedStatement } from '../../platform/database/transactions.js';

/**
 * An active agent of account $1 with another wallet than $2 (buyer) and $3 (arbiter): nobody may be on both sides of a
 * node.
 */
export const MAY_QUOTE: PreparedStatement = {
  name: 'task-detail-may-quote',
  text: `SELECT id FROM agents WHERE account_id = $1 AND status = 'active' AND wallet_address NOT IN ($2, $3) LIMIT 1`,
};

/**
 * A node of task $1 that account $2 paid for and whose time limit had passed by $3 so that money goes back: after a
 * final rejection all of it, after a lapsed ruling what is above its floor.
 */
export const IS_OWED_BY_TIME: PreparedStatement = {
  name: 'task-detail-owed-by-time',
  text: `SELECT id FROM escrow_nodes
         WHERE task_id = $1 AND hirer_account_id = $2 AND hirer_funded AND clock < $3::timestamptz
           AND (state = 'rejected' OR (state = 'disputed' AND pool > floor)) LIMIT 1`,
};

import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Due nodes that one search for accounts examines; BATCH: nodes of one account that one transaction writes. */
const LOOKED_AT = 1_000;
const BATCH = 500;

/** Accounts that have nodes which are due before the moment $1, without those of $2. */
export const ACCOUNTS_WITH_DUE_NODES: PreparedStatement = {
  name: 'earnings_due_accounts',
  text: `SELECT DISTINCT account_id FROM (
      SELECT account_id FROM node_earnings WHERE next_at < $1 AND account_id <> ALL ($2) ORDER BY next_at LIMIT ${LOOKED_AT}
    ) AS due ORDER BY account_id`,
};

/**
 * $1 account. The indexer holds this row while it writes a block with the account's nodes; the next round then takes
 * the account.
 */
export const LOCK_ACCOUNT: PreparedStatement = {
  name: 'earnings_lock_account',
  text: 'SELECT account_id FROM account_earnings WHERE account_id = $1 FOR UPDATE SKIP LOCKED',
};

/** $1 account, $2 moment. A separate statement after the lock, so that it sees what the previous holder has written. */
export const REFRESH_DUE_NODES: PreparedStatement = {
  name: 'earnings_refresh',
  text: `WITH due AS MATERIALIZED (
      SELECT array_agg(node_id) AS ids FROM (
        SELECT node_id FROM node_earnings WHERE account_id = $1 AND next_at < $2 ORDER BY next_at LIMIT ${BATCH}
      ) AS node
    )
    SELECT refresh_node_earnings(ids, $2), cardinality(ids) AS nodes FROM due WHERE ids IS NOT NULL`,
};

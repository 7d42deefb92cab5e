import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** The newest action of a use whose transaction was handed in, may still be mined, and is not in the index. */
const newestSent = (escrow: string, use: string): string => `LEFT JOIN LATERAL (
    SELECT id, nonce, node_id FROM prepared_actions
    WHERE escrow_address = ${escrow} AND wallet_address = $2 AND transaction_hash IS NOT NULL AND ${use}
      AND NOT EXISTS (SELECT 1 FROM chain_facts WHERE chain_facts.action_id_hash = prepared_actions.action_id_hash)
    ORDER BY nonce DESC LIMIT 1
  ) sent ON true`;

/**
 * The next nonce of a wallet in an escrow, and the newest sent action of the same kind and node. Placeholders: escrow,
 * wallet, kind, node, now.
 */
export const PEEK: PreparedStatement = {
  name: 'wallet-nonce-peek',
  text: `
  SELECT known.next_nonce AS nonce, sent.id AS sent_id, sent.nonce AS sent_nonce
  FROM wallet_nonces known
  ${newestSent('$1', 'kind = $3 AND node_id IS NOT DISTINCT FROM $4 AND valid_until >= $5')}
  WHERE known.escrow_address = $1 AND known.wallet_address = $2`,
};

/**
 * As PEEK for the escrow of a task, before it is known which node the action is for: gives the newest sent action of the
 * kind with its node. One row per task. Placeholders: task, wallet, kind, now.
 */
export const PEEK_AHEAD: PreparedStatement = {
  name: 'wallet-nonce-peek-ahead',
  text: `
  SELECT task.escrow_address, coalesce(known.next_nonce, 0) AS nonce,
    sent.id AS sent_id, sent.nonce AS sent_nonce, sent.node_id AS sent_node_id
  FROM tasks task
  LEFT JOIN wallet_nonces known ON known.escrow_address = task.escrow_address AND known.wallet_address = $2
  ${newestSent('task.escrow_address', 'kind = $3 AND valid_until >= $4')}
  WHERE task.id = $1`,
};

/** Gives out the next nonce. Placeholders: escrow, wallet, the smallest nonce that may be given out. */
export const NEXT: PreparedStatement = {
  name: 'wallet-nonce-next',
  text: `
  INSERT INTO wallet_nonces AS known (escrow_address, wallet_address, next_nonce) VALUES ($1, $2, $3::numeric + 1)
  ON CONFLICT (escrow_address, wallet_address) DO UPDATE
    SET next_nonce = greatest(known.next_nonce, $3::numeric) + 1
  RETURNING next_nonce - 1 AS nonce`,
};

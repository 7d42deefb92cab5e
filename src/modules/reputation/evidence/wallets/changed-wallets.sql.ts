import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import { PAYER_SQL, WORKER_SQL } from '../../clusters/principals.js';
import { NOTE, THIS_TRANSACTION } from '../../pairs/evidence.sql.js';

/** Wallets that one short transaction takes. */
export const WALLETS_AT_ONCE = 100;

/**
 * Takes the next $1 changed wallets. Marks the agents to be counted anew that were paid by one of those concerned for work of
 * another: who has, had or claims the wallet, and the wallet itself. Gives a row for each wallet that was taken.
 */
export const MARK_CHANGED_WALLETS: PreparedStatement = {
  name: 'evidence_mark_changed_wallets',
  text: `WITH taken AS MATERIALIZED (
      DELETE FROM changed_wallets WHERE (address, account_id) IN (
        SELECT address, account_id FROM changed_wallets ORDER BY address, account_id LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING address, account_id
    ), concerned AS MATERIALIZED (
      SELECT address, account_id AS principal FROM taken
      UNION SELECT address, other.id FROM taken CROSS JOIN LATERAL (
        SELECT account_id AS id FROM account_wallets w WHERE w.address = taken.address
        UNION ALL SELECT a.id FROM accounts a WHERE a.wallet_address = taken.address
        UNION ALL SELECT account_id FROM agents claim WHERE claim.wallet_address = taken.address
        UNION ALL SELECT 'wallet_' || taken.address OFFSET 0) AS other
    ), marked AS (
      ${NOTE} SELECT agent_id, ${THIS_TRANSACTION}, true FROM (
        SELECT DISTINCT paid.agent_id FROM concerned payer JOIN concerned worker USING (address)
        CROSS JOIN LATERAL (
          SELECT agent_id FROM settlements
          WHERE ${PAYER_SQL} = payer.principal AND ${WORKER_SQL} = worker.principal OFFSET 0) AS paid
        WHERE payer.principal <> worker.principal ORDER BY 1
      ) AS agent
      ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id, must_rebuild = true
    )
    SELECT address FROM taken`,
};

import { isProvedByAnother } from '../../clusters/clusters.sql-views.js';
import { MIN_FUNDING_SHARE_DENOMINATOR, MAX_SHARED_PAYOUT_WALLET } from '../../payouts/link-limits.js';

/**
 * Every account with each of its wallets, and every paying wallet without an account. A wallet that agents only claim
 * links the owners who claim it, unless another account has proved it.
 */
export const WALLETS = `
  SELECT id AS account, wallet_address AS wallet FROM accounts WHERE wallet_address IS NOT NULL
  UNION ALL SELECT account_id, address FROM account_wallets
  UNION ALL SELECT DISTINCT account_id, wallet_address FROM agents claim
    WHERE NOT ${isProvedByAnother('claim.wallet_address', 'claim.account_id')}
  UNION ALL SELECT DISTINCT 'wallet_' || payer_wallet, payer_wallet FROM settlements WHERE payer_account_id IS NULL`;

/**
 * Pairs of a worker and a buyer that received the worker's earnings: paid out to one of the buyer's wallets, or
 * forwarded there from a wallet of the payout. They count as one principal only when the amount is at least half of all
 * that the buyer has paid here, so that faking such a link costs more than it is worth. Verified buyers are never
 * linked, because their identity is known. A wallet with payouts of many workers, such as an exchange's, links nobody.
 */
export const FUNDED_BUYERS = `
  WITH owned AS (
    SELECT wallet_address AS address, id AS account FROM accounts WHERE wallet_address IS NOT NULL
    UNION SELECT address, account_id FROM account_wallets
  ), payout_wallet AS (
    SELECT DISTINCT recipient, worker_id FROM payouts
    WHERE recipient IN (SELECT recipient FROM payouts GROUP BY recipient
      HAVING count(DISTINCT worker_id) <= ${MAX_SHARED_PAYOUT_WALLET})
  ), sent AS (
    SELECT worker_id AS sender, account AS receiver, amount FROM payouts JOIN owned ON address = recipient
    UNION ALL
    SELECT worker_id, account, amount FROM payout_transfers
    JOIN payout_wallet ON recipient = from_address JOIN owned ON address = to_address
  ), total AS (
    SELECT sender, receiver, sum(amount) AS amount FROM sent
    WHERE sender <> receiver AND sender NOT IN (SELECT account_id FROM verified_buyers)
      AND receiver NOT IN (SELECT account_id FROM verified_buyers)
    GROUP BY sender, receiver
  )
  SELECT sender, receiver FROM total
  CROSS JOIN LATERAL (
    SELECT sum(released) AS paid FROM settlements
    WHERE coalesce(payer_account_id, 'wallet_' || payer_wallet) = receiver
  ) spent
  WHERE paid > 0 AND amount * ${MIN_FUNDING_SHARE_DENOMINATOR} >= paid`;

import { Clusters } from '../../trust/clusters.js';
import { MIN_FUNDING_SHARE_DENOMINATOR, MAX_SHARED_PAYOUT_WALLET } from '../../payouts/link-limits.js';
import type { RunConnection } from './run-connection.js';

/**
 * Every account with each of its wallets, and every wallet of nobody known. A wallet that an agent only names joins its
 * owner to others who name it; where a signature or the operator says whose it is, a claim joins nobody: otherwise whoever
 * names a trusted buyer's wallet first would be one with that buyer.
 */
const WALLETS = `
  SELECT id AS account, wallet_address AS wallet FROM accounts WHERE wallet_address IS NOT NULL
  UNION ALL SELECT account_id, address FROM account_wallets
  UNION ALL SELECT DISTINCT account_id, wallet_address FROM agents claim
    WHERE NOT EXISTS (SELECT FROM account_wallets w WHERE w.address = claim.wallet_address AND w.account_id <> claim.account_id)
    AND NOT EXISTS (SELECT FROM accounts a WHERE a.wallet_address = claim.wallet_address AND a.id <> claim.account_id)
  UNION ALL SELECT DISTINCT 'wallet_' || payer_wallet, payer_wallet FROM settlements WHERE payer_account_id IS NULL`;

/**
 * Workers whose earnings went to a buyer: paid out to one of its wallets, or sent on to one by a wallet that they were
 * paid out to. It joins the two only when it is at least half of what the buyer has ever paid here. Whoever sends a
 * trusted buyer a little to become one with it, or a worker's client to make their dealings look like one person's, pays
 * more than it is worth. A verified buyer is known to be who it is; and a wallet that many are paid out to, such as an
 * exchange's, says nothing about them.
 */
const FUNDED_BUYERS = `
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

/** The principals of the market as wallets and money show them now. rule: docs/decisions/ranking.md#score */
export async function linkPrincipals(connection: RunConnection): Promise<Clusters> {
  const clusters = new Clusters();
  for await (const rows of connection.stream<{ account: string; wallet: string }>(WALLETS)) {
    for (const { account, wallet } of rows) clusters.joinByWallet(account, wallet);
  }
  for await (const rows of connection.stream<{ sender: string; receiver: string }>(FUNDED_BUYERS)) {
    for (const { sender, receiver } of rows) clusters.join(sender, receiver);
  }
  return clusters;
}

/**
 * Whether another account has the wallet: $1 wallet, $2 account. A wallet that the account has proved by a signature is
 * its own, whatever others claim.
 */
export const IS_WALLET_TAKEN = `SELECT NOT EXISTS (SELECT FROM account_wallets WHERE address = $1 AND account_id = $2) AND (
  EXISTS (SELECT FROM account_wallets WHERE address = $1)
  OR EXISTS (SELECT FROM accounts WHERE wallet_address = $1 AND id <> $2)
  OR EXISTS (SELECT FROM agents WHERE wallet_address = $1 AND account_id <> $2)) AS taken`;

/**
 * Id of a payer or worker: the account id, or for a wallet without an account `wallet_<address>`, so that unknown
 * wallets are kept apart.
 */
export function principalOf(accountId: string | null, wallet: string): string {
  return accountId ?? `${WALLET_PREFIX}${wallet}`;
}

const WALLET_PREFIX = 'wallet_';

/** `principalOf` in SQL for the payer of a settlement, written as in the table's indexes. */
export const PAYER_SQL = `coalesce(payer_account_id, 'wallet_' || payer_wallet)`;

/** `principalOf` in SQL for the worker of a settlement. */
export const WORKER_SQL = `coalesce(worker_account_id, 'wallet_' || worker_wallet)`;

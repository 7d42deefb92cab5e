/**
 * Who pays or works, as one id: the account, or, for a wallet that belongs to nobody known, the wallet itself, so that
 * strangers are not taken for one another.
 */
export function principalOf(accountId: string | null, wallet: string): string {
  return accountId ?? `${WALLET_PREFIX}${wallet}`;
}

const WALLET_PREFIX = 'wallet_';

/** `principalOf` for the payer of a settlement; as in the indexes of the table. */
export const PAYER_SQL = `coalesce(payer_account_id, 'wallet_' || payer_wallet)`;

/** `principalOf` for the worker of a settlement. */
export const WORKER_SQL = `coalesce(worker_account_id, 'wallet_' || worker_wallet)`;

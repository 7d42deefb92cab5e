import type { EntityManager } from 'typeorm';

/** The account of a wallet: the one that proved it comes before the one for which an operator named it. $1 = EIP-55. */
const OWNER = `SELECT account_id FROM (
    SELECT account_id, 0 AS place FROM account_wallets WHERE address = $1
    UNION ALL SELECT id, 1 FROM accounts WHERE wallet_address = $1) AS owner
  ORDER BY place LIMIT 1`;

/** Locks a wallet until the transaction ends: of two transactions that decide whose it is, the second waits. */
export async function lockWallet(manager: EntityManager, address: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('agent wallet ' || $1, 0))`, [address]);
}

/** Id of the account that a wallet is known to belong to; null when it belongs to none. @param address EIP-55. */
export async function walletOwner(manager: EntityManager, address: string): Promise<string | null> {
  const [row] = await manager.query<{ account_id: string }[]>(OWNER, [address]);
  return row?.account_id ?? null;
}

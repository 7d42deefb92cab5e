import type { EntityManager } from 'typeorm';
import { ApiError } from '../../platform/http/api-error.js';

/** Accounts and agents that have a wallet, apart from one account's: $1 wallet, $2 account. */
const TAKEN = `SELECT EXISTS (SELECT FROM accounts WHERE wallet_address = $1 AND id <> $2)
  OR EXISTS (SELECT FROM agents WHERE wallet_address = $1 AND account_id <> $2) AS taken`;

/**
 * Makes sure that no other account has the wallet, until the end of the transaction. The account's own wallet is always
 * free to it: nobody takes it away by having claimed it first. Several agents of an account may share a wallet.
 * @param wallet EIP-55.
 * @throws ApiError `wallet_mismatch`.
 */
export async function claimWallet(
  manager: EntityManager,
  owner: { id: string; walletAddress: string | null },
  wallet: string,
): Promise<void> {
  if (wallet.toLowerCase() === owner.walletAddress?.toLowerCase()) return;
  // Of two accounts that claim a wallet at the same moment the second waits, and then sees the first.
  await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('agent wallet ' || $1, 0))`, [wallet]);
  const [row] = await manager.query<{ taken: boolean }[]>(TAKEN, [wallet, owner.id]);
  if (row?.taken !== false) {
    throw new ApiError(
      'wallet_mismatch',
      'The wallet belongs to another account.',
      "Name a wallet of your own, or none: then it is your account's.",
    );
  }
}

import type { EntityManager } from 'typeorm';
import { ApiError } from '../../platform/http/api-error.js';
import { lockWallet } from '../accounts/wallet-owner.sql.js';

/**
 * Whether another account has the wallet: $1 wallet, $2 account. A wallet that the account has proved by a signature is
 * its own, whatever others claim.
 */
const TAKEN = `SELECT NOT EXISTS (SELECT FROM account_wallets WHERE address = $1 AND account_id = $2) AND (
  EXISTS (SELECT FROM account_wallets WHERE address = $1)
  OR EXISTS (SELECT FROM accounts WHERE wallet_address = $1 AND id <> $2)
  OR EXISTS (SELECT FROM agents WHERE wallet_address = $1 AND account_id <> $2)) AS taken`;

/**
 * Ensures until the end of the transaction that no other account has the wallet. The account's own wallets are always
 * available to it, even when somebody else has claimed them before. Several agents of an account may share a wallet.
 * @param wallet EIP-55.
 * @throws ApiError `wallet_mismatch`.
 */
export async function claimWallet(
  manager: EntityManager,
  owner: { id: string; walletAddress: string | null },
  wallet: string,
): Promise<void> {
  if (wallet.toLowerCase() === owner.walletAddress?.toLowerCase()) return;
  // Of two accounts that claim a wallet at the same moment, the second waits and then sees the claim of the first.
  await lockWallet(manager, wallet);
  const [row] = await manager.query<{ taken: boolean }[]>(TAKEN, [wallet, owner.id]);
  if (row?.taken !== false) {
    throw new ApiError(
      'wallet_mismatch',
      'The wallet belongs to another account.',
      "Name a wallet of your own, or none: then it is your account's.",
    );
  }
}

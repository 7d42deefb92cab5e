import type { EntityManager } from 'typeorm';
import { ApiError } from '../../platform/http/api-error.js';
import { lockWallet } from '../accounts/wallet-owner.sql.js';
import { IS_WALLET_TAKEN } from './agent-wallets.sql.js';

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
  const [row] = await manager.query<{ taken: boolean }[]>(IS_WALLET_TAKEN, [wallet, owner.id]);
  if (row?.taken !== false) {
    throw new ApiError(
      'wallet_mismatch',
      'The wallet belongs to another account.',
      "Name a wallet of your own, or none: then it is your account's.",
    );
  }
}

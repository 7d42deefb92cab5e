import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { WalletSignatures } from '../../../platform/chain/wallet-signatures.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { AccountWallets } from '../../accounts/wallets/account-wallets.js';
import type { AgentEntity } from '../../agents/agent/agent.entity.js';

/** Says whether an identity's owner has signed, and may speak for the agent. */
@Injectable()
export class IdentitySigner {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly signatures: WalletSignatures,
  ) {}

  /**
   * Passes when the owner of the identity signed, and is a wallet of the agent or of its account.
   * @param owner EIP-55.
   * @throws ApiError `wallet_mismatch`, `invalid_body`; ChainUnavailableError.
   */
  async check(
    { accountId, walletAddress }: Pick<AgentEntity, 'accountId' | 'walletAddress'>,
    owner: string,
    { digest, signature }: { digest: Hex; signature: Hex },
  ): Promise<void> {
    const isOwn =
      owner === walletAddress || (await this.wallets.list(accountId)).some(({ address }) => address === owner);
    if (!isOwn) {
      throw new ApiError(
        'wallet_mismatch',
        'The identity belongs to a wallet that is not of this account.',
        'Link that wallet to the account, or make it the wallet of the agent.',
      );
    }
    if ((await this.signatures.signerOf(digest, signature, owner)) !== null) return;
    throw new ApiError('invalid_body', 'The signature is not that of the wallet which owns the identity.');
  }
}

import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { UsdcToken } from '../../../platform/chain/usdc-token.js';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { IS_ESCROW } from './withdrawal-destinations.sql.js';

/** One payment out of a tree's escrow. Addresses are EIP-55. */
export interface Payout {
  readonly escrowAddress: Hex;
  readonly destination: Hex;
  /** Base units. */
  readonly amount: bigint;
}

/** Checks whether money may go to an address: it must not be lost there, and the token must not refuse to move it. */
@Injectable()
export class WithdrawalDestinations {
  constructor(
    private readonly transactions: Transactions,
    private readonly token: UsdcToken,
    private readonly config: ChainConfig,
    private readonly environment: Environment,
  ) {}

  /**
   * Refuses the contracts of the market, which would keep the money for ever; the escrow itself refuses only its own
   * address. Where the deployment says so, every address but the signer's is refused.
   * @throws ApiError `invalid_body`.
   */
  async accept(destination: Hex, signer: Hex): Promise<void> {
    if (this.environment.withdrawToSignerOnly && destination !== signer) {
      throw new ApiError('invalid_body', 'destination is not the wallet that signs, and no other is allowed here.');
    }
    const { factoryAddress, implementationAddress, usdcAddress } = this.config;
    const contracts = [factoryAddress, implementationAddress, usdcAddress];
    const escrows = await this.transactions.lookUp(IS_ESCROW, [destination]);
    if (contracts.includes(destination) || escrows.length > 0) {
      throw new ApiError('invalid_body', 'destination is a contract of the market, which could not spend the money.');
    }
  }

  /** @throws ApiError `state_conflict` when the token would not move the money now; `service_unavailable`. */
  async refuseUnmovable({ escrowAddress, destination, amount }: Payout): Promise<void> {
    const fault = await this.token.transferFault(escrowAddress, destination, amount);
    if (fault === 'paused') {
      throw new ApiError(
        'state_conflict',
        'USDC is paused by its issuer; nothing can be paid out now.',
        'Try again later; the money stays where it is.',
      );
    }
    if (fault === 'blocked') {
      throw new ApiError(
        'state_conflict',
        "The destination or the escrow is on the deny list of USDC's issuer.",
        'Name another destination; the money stays where it is.',
      );
    }
  }
}

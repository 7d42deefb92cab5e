import { Injectable } from '@nestjs/common';
import {
  addressTopic,
  decodeTokenTransfer,
  type DecodedRevert,
  encodeAllowanceCall,
  encodeBalanceOfCall,
  encodePermitNonceCall,
  encodeTokenTransfer,
  type TokenTransfer,
  TRANSFER_TOPIC,
} from '#libs/contracts';
import { ChainClient } from './chain-client.js';
import { ChainConfig } from './chain-config.js';

/** Why the token would not move money: it is paused, an account is on its deny list, or the reason is another one. */
export type TransferFault = 'paused' | 'blocked' | 'refused';

/**
 * Reads USDC: balances, allowances, and whether it would move money now. Amounts in base units, at the latest block.
 */
@Injectable()
export class UsdcToken {
  constructor(
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
  ) {}

  /** Base units that the account holds. */
  balanceOf(account: string): Promise<bigint> {
    return this.read(encodeBalanceOfCall(account));
  }

  /** Base units that the spender may still take from the owner. */
  allowance(owner: string, spender: string): Promise<bigint> {
    return this.read(encodeAllowanceCall(owner, spender));
  }

  /** The number that the owner's next EIP-2612 permit must carry. */
  permitNonce(owner: string): Promise<bigint> {
    return this.read(encodePermitNonceCall(owner));
  }

  /**
   * Tries a transfer without sending it; null when the token would move the amount. A sender who has too little gets
   * `refused`, so compare the balance.
   */
  async transferFault(from: string, to: string, amount: bigint): Promise<TransferFault | null> {
    const call = { from, to: this.config.usdcAddress, data: encodeTokenTransfer(to, amount) };
    const outcome = await this.chain.rawCall(call);
    return outcome.reverted ? faultOf(outcome.revert) : null;
  }

  /**
   * The transfers that these accounts (EIP-55) have sent in the range, both ends included. Its blocks must be ones that
   * cannot be replaced any more.
   */
  async transfersFrom(
    senders: readonly string[],
    range: { fromBlock: number; toBlock: number },
  ): Promise<TokenTransfer[]> {
    const of = { address: this.config.usdcAddress, seconds: senders.map(addressTopic) };
    const logs = await this.chain.logs(range, [TRANSFER_TOPIC], of);
    return logs.map(decodeTokenTransfer);
  }

  private read(data: string): Promise<bigint> {
    return this.chain.amountFrom({ to: this.config.usdcAddress, data });
  }
}

/** The local token has custom errors where the real one (version 2.2) reverts with texts. */
function faultOf(revert: DecodedRevert | null): TransferFault {
  if (revert === null) return 'refused';
  const { name, args } = revert;
  const text = name === 'Error' ? String(args['value']) : '';
  if (name === 'TokenPaused' || text.includes('paused')) return 'paused';
  if (name === 'AccountBlacklisted' || text.includes('blacklisted')) return 'blocked';
  return 'refused';
}

import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { Clock } from '../../../platform/time/clock.js';
import type { HiredNode } from '../../earnings/hired-nodes.js';
import { PendingFinalizations } from './pending-finalizations.js';

/** What a wallet can take back out of a tree. */
export interface RefundBalance {
  readonly wallet: Hex;
  /** Base units. */
  readonly amount: bigint;
  /** Nodes that a time limit has ended and nobody has finalized: `amount` needs them finalized first. */
  readonly unwritten: readonly bigint[];
  /** What the chain has of it already. */
  readonly written: bigint;
  /** What more nodes give back than are finalized at once. */
  readonly left: bigint;
}

/**
 * Reads refund balances by the chain's latest state, including the money of nodes that a time limit has ended
 * (docs/decisions/escrow.md#states-of-a-node, docs/decisions/escrow.md#money-of-nested-nodes).
 */
@Injectable()
export class RefundBalances {
  constructor(
    private readonly chain: ChainClient,
    private readonly ends: PendingFinalizations,
    private readonly clock: Clock,
  ) {}

  /**
   * The largest balance of these wallets.
   * @param hired the nodes that they have paid for.
   * @throws ChainUnavailableError.
   */
  async largest(
    escrowAddress: Hex,
    wallets: readonly [Hex, ...Hex[]],
    hired: readonly HiredNode[],
  ): Promise<RefundBalance> {
    const [first, ...others] = wallets;
    const [balance, ...rest] = await Promise.all([
      this.balance(escrowAddress, first, hired),
      ...others.map((wallet) => this.balance(escrowAddress, wallet, hired)),
    ]);
    return rest.reduce((best, next) => (next.amount > best.amount ? next : best), balance);
  }

  private async balance(escrowAddress: Hex, wallet: Hex, hired: readonly HiredNode[]): Promise<RefundBalance> {
    const paths = lapsedOf(hired, wallet, this.clock.nowSeconds());
    const [written, returns] = await Promise.all([
      this.chain.refundOf(escrowAddress, wallet),
      this.ends.returnsOf(escrowAddress, paths),
    ]);
    return { wallet, amount: written + returns.amount, written, unwritten: returns.paths, left: returns.left };
  }
}

/**
 * Paths of the nodes that a wallet has paid for and whose passed time limit has sent money back to it, those with the most
 * first: an action finalizes few of them.
 */
export function lapsedOf(hired: readonly HiredNode[], wallet: Hex, now: number): bigint[] {
  return hired
    .filter(({ hirerWallet, state, clock }) => hirerWallet === wallet && isContested(state) && clock < now)
    .filter(({ returned }) => returned > 0n)
    .toSorted((one, other) => Number(other.returned - one.returned))
    .map(({ path }) => path);
}

function isContested(state: HiredNode['state']): boolean {
  return state === 'rejected' || state === 'disputed';
}

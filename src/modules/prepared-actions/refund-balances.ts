import { Injectable } from '@nestjs/common';
import { NodeState, type StoredNode } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../platform/chain/chain-client.js';
import { Clock } from '../../platform/time/clock.js';
import type { HiredNode } from '../earnings/hired-nodes.js';

/** What a wallet can take back out of a tree. */
export interface RefundBalance {
  readonly wallet: Hex;
  /** Base units. */
  readonly amount: bigint;
  /** Nodes about which time has decided and nobody has written it down: only then does their money count. */
  readonly unwritten: readonly number[];
}

/** Nodes that one action writes down: each costs gas. What is left is for the next action. */
const MOST_WRITTEN = 20;

/** Reads refund balances by the chain's latest state, with what time has decided (design/contract.md §1.4, §1.6). */
@Injectable()
export class RefundBalances {
  constructor(
    private readonly chain: ChainClient,
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

  /** Those of the nodes that somebody still has to write down; `ChainUnavailableError`. */
  async stillUnwritten(escrowAddress: Hex, numbers: readonly number[]): Promise<number[]> {
    const stored = await Promise.all(numbers.map((number) => this.chain.nodeAt(escrowAddress, number)));
    return numbers.filter((_, index) => givenBack(stored[index] ?? null, this.clock.nowSeconds()) > 0n);
  }

  private async balance(escrowAddress: Hex, wallet: Hex, hired: readonly HiredNode[]): Promise<RefundBalance> {
    const now = this.clock.nowSeconds();
    const lapsed = hired
      .filter(({ hirerWallet, state, clock }) => hirerWallet === wallet && isContested(state) && clock < now)
      .slice(0, MOST_WRITTEN);
    const [refund, ...stored] = await Promise.all([
      this.chain.refundOf(escrowAddress, wallet),
      ...lapsed.map(({ number }) => this.chain.nodeAt(escrowAddress, number)),
    ]);
    let amount = refund;
    const unwritten: number[] = [];
    for (const [index, { number }] of lapsed.entries()) {
      const back = givenBack(stored[index] ?? null, now);
      amount += back;
      if (back > 0n) unwritten.push(number);
    }
    return { wallet, amount, unwritten };
  }
}

function isContested(state: HiredNode['state']): boolean {
  return state === 'rejected' || state === 'disputed';
}

/** Base units that `finalize` would give back to whoever paid for the node; 0 when it has happened or may not yet. */
function givenBack(node: StoredNode | null, nowSeconds: number): bigint {
  if (node === null || nowSeconds <= node.clock) return 0n;
  if (node.state === NodeState.Rejected) return node.amount;
  if (node.state !== NodeState.Disputed) return 0n;
  const half = node.amount / 2n;
  return node.amount - (half < node.allocated ? node.allocated : half);
}

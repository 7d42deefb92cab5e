import { decodeAmountResult, encodeBalanceOfCall, type StoredNode } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { ChainClient } from '../../../platform/chain/chain-client.js';
import type { StoredBlock } from '../indexed-chain/index-store.js';
import type { ChainTree } from './tree-ledger.js';
import type { AddressedTree } from './tree-ledger-index.js';

/** Reads trees from the chain's storage as of one block. */
export class ChainTrees {
  constructor(
    private readonly chain: ChainClient,
    private readonly usdcAddress: Hex,
  ) {}

  /** True when the chain still has the block with this number and hash. @throws ChainUnavailableError. */
  async has({ number, hash }: StoredBlock): Promise<boolean> {
    return (await this.chain.block(number))?.hash === hash;
  }

  /**
   * Reads everything of a tree that the index names, at that block. Calls made at the same time are sent as one batch.
   * @throws ChainUnavailableError also when the endpoint no longer has the state of the block.
   */
  async read({ tree, escrowAddress }: AddressedTree, block: number): Promise<ChainTree> {
    const paths = [...new Set([...tree.nodes.map(({ path }) => path), ...(tree.facts?.funded ?? [])])];
    const accounts = [...(tree.facts?.refunds.keys() ?? [])];
    const balanceCall = { to: this.usdcAddress, data: encodeBalanceOfCall(escrowAddress) };
    const [code, balance, nodes, refunds] = await Promise.all([
      this.chain.codeAt(escrowAddress, block),
      this.chain.call(balanceCall, block),
      Promise.all(paths.map(async (path) => this.nodeAt(escrowAddress, path, block))),
      Promise.all(accounts.map(async (account) => this.refundOf(escrowAddress, account, block))),
    ]);
    return {
      isDeployed: code !== '0x',
      balance: decodeAmountResult(balance),
      nodes: new Map(nodes),
      refunds: new Map(refunds),
    };
  }

  private async nodeAt(escrow: Hex, path: bigint, block: number): Promise<[bigint, StoredNode | null]> {
    return [path, await this.chain.nodeAt(escrow, path, block)];
  }

  private async refundOf(escrow: Hex, account: string, block: number): Promise<[string, bigint]> {
    return [account, await this.chain.refundOf(escrow, account, block)];
  }
}

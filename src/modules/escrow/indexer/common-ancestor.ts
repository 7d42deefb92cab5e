import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainIdentity } from '../indexed-chain/chain-identity.js';
import { IndexStore, type StoredBlock } from '../indexed-chain/index-store.js';

/** Stored blocks that are compared with the chain in one request. */
const COMPARED_AT_ONCE = 20;

/** Where the index can go on, after a comparison with the chain. */
export type ForkPoint =
  /** The index goes on above `base`, which is below the tip when the chain has replaced the blocks above it. */
  | { kind: 'firm'; base: StoredBlock | null; next: number }
  /** The endpoint does not have the tip yet, or not any more, and contradicts nothing below. */
  | { kind: 'behind'; base: StoredBlock; next: number };

/** Finds the newest block that index and chain have in common. Changes nothing. */
@Injectable()
export class CommonAncestor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly client: ChainClient,
    private readonly store: IndexStore,
    private readonly identity: ChainIdentity,
  ) {}

  /**
   * Where the index may go on; `next` is the number of the first block to read.
   * @param head number of the chain's newest block.
   * @throws ChainUnavailableError; ChainConfigurationError when not even the first block is the same.
   */
  async forkPoint(tip: StoredBlock | null, head: number): Promise<ForkPoint> {
    if (tip === null) return this.firm(null);
    if (head >= tip.number && (await this.isOnChain(tip))) return this.firm(tip);
    const newest = Math.min(head, tip.number);
    const base = await this.commonAncestor(newest);
    const [below] = await this.store.blocksDownFrom(this.dataSource.manager, newest, 1);
    // A node of the endpoint that lags is no reorganisation: no block that it has differs from the index.
    const isBehind = head < tip.number && base !== null && below?.number === base.number;
    return isBehind ? { kind: 'behind', base, next: base.number + 1 } : this.firm(base);
  }

  private firm(base: StoredBlock | null): ForkPoint {
    return { kind: 'firm', base, next: base === null ? this.identity.startBlock : base.number + 1 };
  }

  private async commonAncestor(from: number): Promise<StoredBlock | null> {
    for (let newest = from; ;) {
      const stored = await this.store.blocksDownFrom(this.dataSource.manager, newest, COMPARED_AT_ONCE);
      const same = await Promise.all(stored.map((block) => this.isOnChain(block)));
      const ancestor = stored[same.indexOf(true)];
      if (ancestor) return ancestor;
      const oldest = stored.at(-1);
      if (!oldest) break;
      newest = oldest.number - 1;
    }
    // The whole index would be deleted: only on the same chain, never because the endpoint now serves another one.
    await this.identity.verify();
    return null;
  }

  private async isOnChain({ number, hash }: StoredBlock): Promise<boolean> {
    return (await this.client.block(number))?.hash === hash;
  }
}

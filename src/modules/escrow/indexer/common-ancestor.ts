import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { ChainIdentity } from '../indexed-chain/chain-identity.js';
import { IndexStore, type StoredBlock } from '../indexed-chain/index-store.js';

/** Stored blocks that are compared with the chain in one request. */
const COMPARED_AT_ONCE = 20;

/** Where the index can go on, after a comparison with the chain. */
export type ForkPoint =
  /** The index goes on above `base`, which is below the tip when the chain has replaced the blocks above it. */
  | { kind: 'firm'; base: StoredBlock | null; next: number }
  /** The endpoint does not have the tip yet, or not any more, and contradicts nothing below: there is nothing to do. */
  | { kind: 'behind' };

/** A stored block is on the chain, the chain has another in its place, or the endpoint shows none with its number. */
type Comparison = 'same' | 'other' | 'missing';

/**
 * Finds the newest block that index and chain have in common. Changes nothing.
 *
 * Only another hash at the same height proves that the chain has replaced a block, and with it all above. A block that is
 * missing proves nothing: the endpoint named a head that is not below it, so that another node behind the same address,
 * which lags, has answered, or the chain has become shorter since. To take it for replaced would delete what is on the
 * chain, and tell every follower that it has not happened. So where a missing block leaves open where the chains part, the
 * question is asked again; a chain that has become shorter then names its lower head.
 *
 * A head below the index proves nothing either, however long it stays: an endpoint that is stuck names the same one. A
 * chain that was really cut off grows again, and is followed as soon as it has another block in the place of a stored one.
 */
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
   * @throws ChainUnavailableError, also when the endpoint does not have a block that it must have below its own head;
   * ChainConfigurationError when not even the first block is the same.
   */
  async forkPoint(tip: StoredBlock | null, head: number): Promise<ForkPoint> {
    if (tip === null) return this.firm(null);
    if (head >= tip.number && (await this.compared(tip)) === 'same') return this.firm(tip);
    const newest = Math.min(head, tip.number);
    const base = await this.commonAncestor(newest);
    const [below] = await this.store.blocksDownFrom(this.dataSource.manager, newest, 1);
    // A node of the endpoint that lags is no reorganisation: no block that it has differs from the index.
    const isBehind = head < tip.number && base !== null && below?.number === base.number;
    return isBehind ? { kind: 'behind' } : this.firm(base);
  }

  private firm(base: StoredBlock | null): ForkPoint {
    return { kind: 'firm', base, next: base === null ? this.identity.startBlock : base.number + 1 };
  }

  private async commonAncestor(from: number): Promise<StoredBlock | null> {
    for (let newest = from; ;) {
      const stored = await this.store.blocksDownFrom(this.dataSource.manager, newest, COMPARED_AT_ONCE);
      const compared = await Promise.all(stored.map((block) => this.compared(block)));
      const common = compared.indexOf('same');
      const above = (common === -1 ? stored.length : common) - 1;
      if (compared[above] === 'missing') throw incomplete(stored[above]);
      const ancestor = stored[common];
      if (ancestor) return ancestor;
      const oldest = stored.at(-1);
      if (!oldest) break;
      newest = oldest.number - 1;
    }
    // The whole index would be deleted: only on the same chain, never because the endpoint now serves another one.
    await this.identity.verify();
    return null;
  }

  private async compared({ number, hash }: StoredBlock): Promise<Comparison> {
    const block = await this.client.block(number);
    if (block === null) return 'missing';
    return block.hash === hash ? 'same' : 'other';
  }
}

function incomplete(block: StoredBlock | undefined): ChainUnavailableError {
  return new ChainUnavailableError(new Error(`The endpoint has no block ${block?.number}, but names a head beyond it`));
}

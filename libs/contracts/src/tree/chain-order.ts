import type { FactRef } from './tree-projection.types.js';

/** Where in the chain something is. */
export type ChainPosition = Pick<FactRef, 'blockNumber' | 'logIndex'>;

/** Compares two places in the order of the chain: negative when `a` comes first, 0 for the same place. */
export function byChainOrder(a: ChainPosition, b: ChainPosition): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

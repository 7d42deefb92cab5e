import { Injectable } from '@nestjs/common';

/** How far this process sees the index of the chain. Written by the indexer, read by the metrics. */
@Injectable()
export class IndexerStatus {
  /** Newest block up to which all facts are shown, but for trees that are published by themselves; null before the first. */
  indexedBlock: number | null = null;
  /** Newest block of the chain when it was last asked; null before. */
  headBlock: number | null = null;
  /** Blocks of the index above the head that the endpoint names, whose own blocks are those of the index; 0 for none. */
  behindBlocks = 0;
  /** Why the last step failed, in one line without secrets; null since one succeeded. */
  lastError: string | null = null;
  /** Trees whose newest facts are in the index and wait to be shown. */
  waitingTrees = 0;
  /** Trees that could not be projected: their tasks show an earlier state. */
  setAsideTrees = 0;
  /** True while this process is the one that indexes. */
  runner = false;
  /** Tasks of set-aside trees whose facts do not add up to a tree, as far as this process has seen. */
  readonly inconsistentTasks = new Set<string>();

  /** Blocks of the chain that the index does not have yet, confirmations included; null before the first poll. */
  get lagBlocks(): number | null {
    if (this.headBlock === null) return null;
    return Math.max(0, this.headBlock - (this.indexedBlock ?? -1));
  }
}

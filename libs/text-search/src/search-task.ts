import { TopKHeap, type DocumentSum } from './top-k-heap.js';

/**
 * One searcher's part of a search: it takes blocks that no other searcher takes, and keeps the best documents of them.
 */
export interface SearchTask {
  /** A document with a smaller sum is not among the best. */
  readonly least: number;
  /** Takes the next free block, counted from 0; a number beyond the last block when all are taken. */
  takeBlock(): number;
  /** Keeps the document if it is among the best. */
  offer(document: number, sum: number): void;
}

/** The part of the searcher that gives the result. */
export interface LeadingSearch extends SearchTask {
  /** The best documents of all blocks: the greatest sum first, of equal sums the lowest number. */
  finish(): DocumentSum[];
}

/** A search that one searcher makes alone. */
export class WholeSearch implements LeadingSearch {
  private readonly best: TopKHeap;
  private blocks = 0;

  /** @param limit documents wanted, at least 1. */
  constructor(limit: number) {
    this.best = new TopKHeap(limit);
  }

  get least(): number {
    return this.best.least;
  }

  takeBlock(): number {
    const block = this.blocks;
    this.blocks += 1;
    return block;
  }

  offer(document: number, sum: number): void {
    this.best.offer(document, sum);
  }

  finish(): DocumentSum[] {
    return this.best.sorted();
  }
}

import { TopKHeap, type DocumentSum } from './top-k-heap.js';

/** What one searcher does of a search: blocks that no other one looks through, and the documents that it finds in them. */
export interface SearchTask {
  /** A smaller sum is not among the best. */
  readonly least: number;
  /** The next block, counted from 0, which is nobody else's then; beyond the last when all are taken. */
  takeBlock(): number;
  /** Keeps the document if it is among the best. */
  offer(document: number, sum: number): void;
}

/** The part of the searcher that is asked for the result. */
export interface LeadingSearch extends SearchTask {
  /** What was found in all blocks: the greatest sum first, of equal ones the lowest number. */
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

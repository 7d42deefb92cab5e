import type { LeadingSearch } from './search-task.js';
import { type DocumentSum, TopKHeap } from './top-k-heap.js';

/**
 * A search that one searcher makes alone for all documents with one of the greatest sums. Documents with equal sums
 * count as one for the limit, because copies of one text must not keep other documents out, nor each other.
 */
export class GreatestSums implements LeadingSearch {
  private readonly sums: TopKHeap;
  private readonly documents = new Map<number, number[]>();
  private blocks = 0;

  /** @param limit different sums wanted, at least 1. */
  constructor(private readonly limit: number) {
    this.sums = new TopKHeap(limit);
  }

  get least(): number {
    return this.sums.least;
  }

  takeBlock(): number {
    const block = this.blocks;
    this.blocks += 1;
    return block;
  }

  offer(document: number, sum: number): void {
    const equal = this.documents.get(sum);
    if (equal !== undefined) {
      equal.push(document);
      return;
    }
    if (this.documents.size === this.limit) {
      if (sum < this.least) return;
      this.documents.delete(this.least);
    }
    this.documents.set(sum, [document]);
    // The heap compares the sums alone, because each is offered once.
    this.sums.offer(sum, sum);
  }

  /** The greatest sum first, of equal sums the lowest number. */
  finish(): DocumentSum[] {
    return this.sums.sorted().flatMap(({ sum }) => {
      const documents = this.documents.get(sum) ?? [];
      return documents.sort((a, b) => a - b).map((document) => ({ document, sum }));
    });
  }
}

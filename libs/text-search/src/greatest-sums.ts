import { WholeSearch } from './search-task.js';
import type { DocumentSum } from './top-k-heap.js';

/**
 * A search for all documents with one of the greatest sums. Documents with equal sums count as one for the limit, because
 * copies of one text must not keep other documents out, nor each other.
 */
export class GreatestSums extends WholeSearch {
  private readonly documents = new Map<number, number[]>();

  /** @param limit different sums wanted, at least 1. */
  constructor(private readonly limit: number) {
    super(limit);
  }

  override offer(document: number, sum: number): void {
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
    super.offer(sum, sum);
  }

  override finish(): DocumentSum[] {
    return super.finish().flatMap(({ sum }) => {
      const documents = this.documents.get(sum) ?? [];
      return documents.sort((a, b) => a - b).map((document) => ({ document, sum }));
    });
  }
}

/** A document and the sum of its weights for a query. */
export interface DocumentSum {
  document: number;
  sum: number;
}

/**
 * Keeps the documents with the greatest sums, of equal sums those with the lowest numbers: a heap whose root is the
 * last of them.
 */
export class TopKHeap {
  private readonly documents: Uint32Array;
  private readonly sums: Int32Array;
  private size = 0;

  /** @param limit at least 1. */
  constructor(private readonly limit: number) {
    this.documents = new Uint32Array(limit);
    this.sums = new Int32Array(limit);
  }

  /** A document with a smaller sum is not kept. */
  get least(): number {
    return this.size < this.limit ? 1 : (this.sums[0] ?? 1);
  }

  /** Keeps the document unless it comes after all that are kept. */
  offer(document: number, sum: number): void {
    if (this.size < this.limit) this.raise(document, sum, this.size++);
    else if (this.isAfter(0, document, sum)) this.sink(document, sum);
  }

  /** Shows all that are kept, in no order. */
  each(take: (document: number, sum: number) => void): void {
    for (let at = 0; at < this.size; at += 1) take(this.documents[at] ?? 0, this.sums[at] ?? 0);
  }

  /** The greatest sum first. */
  sorted(): DocumentSum[] {
    return Array.from({ length: this.size }, (_, at) => ({
      document: this.documents[at] ?? 0,
      sum: this.sums[at] ?? 0,
    })).sort((a, b) => b.sum - a.sum || a.document - b.document);
  }

  private raise(document: number, sum: number, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.isAfter(parent, document, sum)) break;
      this.move(parent, at);
      at = parent;
    }
    this.set(at, document, sum);
  }

  private sink(document: number, sum: number): void {
    let at = 0;
    for (;;) {
      const child = this.lastChildOf(at);
      if (child >= this.size || !this.isAfter(child, document, sum)) break;
      this.move(child, at);
      at = child;
    }
    this.set(at, document, sum);
  }

  /** The child of a place that comes last in the order; an index beyond the end when there is none. */
  private lastChildOf(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    if (right >= this.size) return left;
    return this.isAfter(left, this.documents[right] ?? 0, this.sums[right] ?? 0) ? left : right;
  }

  /** Whether what is kept at a place comes after this document. */
  private isAfter(at: number, document: number, sum: number): boolean {
    const kept = this.sums[at] ?? 0;
    return kept < sum || (kept === sum && (this.documents[at] ?? 0) > document);
  }

  private move(from: number, to: number): void {
    this.set(to, this.documents[from] ?? 0, this.sums[from] ?? 0);
  }

  private set(at: number, document: number, sum: number): void {
    this.documents[at] = document;
    this.sums[at] = sum;
  }
}

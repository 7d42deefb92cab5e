import { TopKHeap } from '#libs/text-search';

/**
 * Multiplier that spreads consecutive numbers over the slots: 2^32 divided by the golden ratio.
 * source: Knuth, TAOCP 3, §6.4
 */
const SPREAD = 0x9e3779b1;

/**
 * Sums weights by document in a hash table of plain numbers. A search sums twenty thousand postings, for which a Map
 * takes twice as long.
 */
export class ScoreAccumulator {
  /** Document number plus 1, so that 0 marks an empty slot. */
  private readonly keys: Uint32Array;
  private readonly sums: Int32Array;
  private used = 0;

  /** @param postings most postings that will be added. */
  constructor(postings: number) {
    // At least half of the slots stay empty, so that probing is short.
    const slots = 2 ** Math.ceil(Math.log2(2 * postings + 1));
    this.keys = new Uint32Array(slots);
    this.sums = new Int32Array(slots);
  }

  /**
   * @param documents at least 0, less than 2^32 - 1.
   * @param weights one per document. The sum of weight times factor of a document must stay below 2^31.
   */
  add(documents: Uint32Array, weights: Uint32Array, factor: number): void {
    for (let index = 0; index < documents.length; index += 1) {
      this.addOne((documents[index] ?? 0) + 1, factor * (weights[index] ?? 0));
    }
  }

  /** Returns the `limit` documents with the greatest sums, best first; ties by the lowest number. */
  best(limit: number): number[] {
    if (this.used === 0) return [];
    const best = new TopKHeap(Math.min(limit, this.used));
    for (let slot = 0; slot < this.keys.length; slot += 1) {
      const key = this.keys[slot] ?? 0;
      if (key !== 0) best.offer(key - 1, this.sums[slot] ?? 0);
    }
    return best.sorted().map(({ document }) => document);
  }

  private addOne(key: number, sum: number): void {
    const slot = this.slotOf(key);
    if (this.keys[slot] === 0) {
      this.keys[slot] = key;
      this.used += 1;
    }
    this.sums[slot] = (this.sums[slot] ?? 0) + sum;
  }

  /** Slot that holds the key, or the empty slot for it. */
  private slotOf(key: number): number {
    const last = this.keys.length - 1;
    let slot = (Math.imul(key, SPREAD) >>> 8) & last;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & last;
    return slot;
  }
}

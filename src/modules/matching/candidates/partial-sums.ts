import { BestSums } from '../agent-index/best-sums.js';

/** Slots at first; a power of two, as is every number of slots. */
const SLOTS = 2 ** 12;
/** Spreads numbers that follow each other over the slots: 2^32 divided by the golden ratio. source: Knuth, TAOCP 3, §6.4 */
const SPREAD = 0x9e3779b1;

/**
 * Documents that parts of lists lead to, each with what those parts say of it: a hash table of plain numbers, since a search
 * adds up twenty thousand postings, for which a Map takes twice as long.
 */
export class PartialSums {
  /** A document and 1, so that 0 is an empty slot. */
  private keys = new Uint32Array(SLOTS);
  private sums = new Int32Array(SLOTS);
  private used = 0;

  /**
   * @param documents at least 0.
   * @param weights as many as there are documents; times the factor, of one document less than 2^31 in all.
   */
  add(documents: readonly number[], weights: readonly number[], factor: number): void {
    for (let index = 0; index < documents.length; index += 1) {
      this.addOne(documents[index] ?? 0, factor * (weights[index] ?? 0));
    }
  }

  /** The documents of the greatest sums, of equal ones the lowest numbers. */
  best(limit: number): number[] {
    if (this.used === 0) return [];
    const best = new BestSums(Math.min(limit, this.used));
    for (let slot = 0; slot < this.keys.length; slot += 1) {
      const key = this.keys[slot] ?? 0;
      if (key !== 0) best.offer(key - 1, this.sums[slot] ?? 0);
    }
    return best.sorted().map(({ document }) => document);
  }

  private addOne(document: number, sum: number): void {
    const slot = this.slotOf(document + 1);
    if (this.keys[slot] === 0) {
      this.keys[slot] = document + 1;
      this.used += 1;
    }
    this.sums[slot] = (this.sums[slot] ?? 0) + sum;
    if (this.used * 2 > this.keys.length) this.grow();
  }

  /** Where the key is, or where it would be. */
  private slotOf(key: number): number {
    const last = this.keys.length - 1;
    let slot = (Math.imul(key, SPREAD) >>> 8) & last;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & last;
    return slot;
  }

  private grow(): void {
    const { keys, sums } = this;
    this.keys = new Uint32Array(keys.length * 2);
    this.sums = new Int32Array(keys.length * 2);
    for (const [old, key] of keys.entries()) {
      if (key === 0) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.sums[slot] = sums[old] ?? 0;
    }
  }
}

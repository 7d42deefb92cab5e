import { MAX_PER_OWNER, WINDOW_SIZE } from '../../relevance/matching-constants.js';
import { NONE, OwnerBuckets } from './owner-buckets.js';

/** Takes windows of ten agents from agents ordered by score. Agents are named by their index. */
export class OwnerDiversity {
  private readonly waiting: OwnerBuckets;

  /** @param owners owner of each agent, by index. */
  constructor(owners: Int32Array, ownerCount: number) {
    this.waiting = new OwnerBuckets(owners, ownerCount, new Float64Array(owners.length), MAX_PER_OWNER);
  }

  /**
   * The best ten waiting agents with at most 2 of one owner. When these do not fill the window, the best agents that
   * were passed over complete it. Returned agents stay in the queue until `leave` is called.
   */
  next(): number[] {
    const taken: number[] = [];
    let best = this.waiting.first(0);
    while (taken.length < WINDOW_SIZE && best !== NONE) {
      this.waiting.hide(best);
      taken.push(best);
      best = this.waiting.first(0);
    }
    for (const index of taken) this.waiting.show(this.waiting.ownerOf(index));
    return taken.length === WINDOW_SIZE ? taken : this.filled(taken);
  }

  leave(index: number): void {
    this.waiting.leave(index);
  }

  /**
   * Completes a window with the next agents of the owners in it, because every other waiting agent comes after a taken
   * agent of the same owner.
   */
  private filled(taken: readonly number[]): number[] {
    const nextOf = new Map(taken.map((index) => [this.waiting.ownerOf(index), this.waiting.next(index)]));
    const filled = [...taken];
    while (filled.length < WINDOW_SIZE) {
      const best = [...nextOf.values()].filter((index) => index !== NONE).sort((a, b) => a - b)[0];
      if (best === undefined) return filled;
      nextOf.set(this.waiting.ownerOf(best), this.waiting.next(best));
      filled.push(best);
    }
    return filled;
  }
}

import { TopKHeap, type DocumentSum } from './top-k-heap.js';
import type { LeadingSearch, SearchTask } from './search-task.js';
import { sharedIntegers } from './shared-array.js';

/** A block takes a fraction of a millisecond: a helper that has begun and is not done after so long has failed. */
const PATIENCE_MS = 1_000;

/** Places in the numbers that the searchers share: how many helpers have begun and are not done, and the next block. */
const AT_WORK = 0;
const NEXT_BLOCK = 1;
/** From here on, for each searcher: a sum that so many of its documents reach as are wanted, and one that its share does. */
const REACHED = 2;
const REACHED_NUMBERS = 2;

/** What a searcher is told of a search that it is part of. All but its own number is of the search. */
export interface WorkerSlot {
  /** Number of the searcher: 0 leads, those from 1 on help. */
  searcher: number;
  searchers: number;
  /** Documents wanted, at least 1. */
  limit: number;
  /** Numbers that all searchers share. */
  shared: Int32Array;
  /** Where each helper writes what it has found: how many documents, then each with its sum. */
  found: readonly Int32Array[];
}

/**
 * What one of several searchers does. It keeps as many documents as are wanted of all, and leaves out only what cannot be
 * among them: by what it has found itself, and by what the others have said of theirs.
 */
class SharedPart implements SearchTask {
  protected readonly best: TopKHeap;
  /** The best of them: the shares of all searchers together are as many as are wanted. */
  private readonly share: TopKHeap;
  /** No smaller sum is among the best of all searchers. */
  private floor = 1;

  constructor(protected readonly slot: WorkerSlot) {
    this.best = new TopKHeap(slot.limit);
    this.share = new TopKHeap(Math.ceil(slot.limit / slot.searchers));
  }

  get least(): number {
    return Math.max(this.floor, this.best.least);
  }

  takeBlock(): number {
    const { shared, searcher } = this.slot;
    const own = REACHED + REACHED_NUMBERS * searcher;
    Atomics.store(shared, own, this.best.least);
    Atomics.store(shared, own + 1, this.share.least);
    let reachedByOne = 0;
    let reachedByShares = Number.MAX_SAFE_INTEGER;
    for (let at = REACHED; at < shared.length; at += REACHED_NUMBERS) {
      reachedByOne = Math.max(reachedByOne, Atomics.load(shared, at));
      reachedByShares = Math.min(reachedByShares, Atomics.load(shared, at + 1));
    }
    this.floor = Math.max(reachedByOne, reachedByShares);
    return Atomics.add(shared, NEXT_BLOCK, 1);
  }

  offer(document: number, sum: number): void {
    this.best.offer(document, sum);
    this.share.offer(document, sum);
  }

  /** Writes what it has found where the lead looks for it. */
  writeTo(found: Int32Array): void {
    let at = 1;
    this.best.each((document, sum) => {
      found[at] = document;
      found[at + 1] = sum;
      at += 2;
    });
    found[0] = (at - 1) / 2;
  }
}

/**
 * A search that threads make together, each one block after another, whichever is next; what is found is what one alone
 * would find. The lead waits for helpers that have begun and for no others: one whose thread is woken late finds no block
 * left, so that nobody waits for it.
 */
export class ParallelSearch extends SharedPart implements LeadingSearch {
  /**
   * @param limit documents wanted, at least 1.
   * @param helpers how many may help.
   */
  static begin(limit: number, helpers: number): ParallelSearch {
    const searchers = 1 + helpers;
    const shared = sharedIntegers(REACHED + REACHED_NUMBERS * searchers);
    const found = Array.from({ length: helpers }, () => sharedIntegers(1 + 2 * limit));
    return new ParallelSearch({ searcher: 0, searchers, limit, shared, found });
  }

  /** What helper `helper`, from 1 on, is to be sent. */
  slotOf(helper: number): WorkerSlot {
    return { ...this.slot, searcher: helper };
  }

  /** @throws Error when a helper began and does not end. */
  finish(): DocumentSum[] {
    const { shared, found } = this.slot;
    // Nobody begins any more: all blocks are taken, and whoever took one was counted here before.
    for (let atWork = Atomics.load(shared, AT_WORK); atWork > 0; atWork = Atomics.load(shared, AT_WORK)) {
      if (Atomics.wait(shared, AT_WORK, atWork, PATIENCE_MS) === 'timed-out') throw new Error('A helper has not ended');
    }
    for (const pairs of found) {
      const end = 1 + 2 * (pairs[0] ?? 0);
      for (let at = 1; at < end; at += 2) this.best.offer(pairs[at] ?? 0, pairs[at + 1] ?? 0);
    }
    return this.best.sorted();
  }
}

/**
 * Helps with a search.
 * @param work offers what is found in the blocks that it takes. Of one that throws the lead never hears that it is done.
 */
export function runHelper(slot: WorkerSlot, work: (part: SearchTask) => void): void {
  const { shared, searcher } = slot;
  const found = slot.found[searcher - 1];
  if (found === undefined) throw new RangeError(`There is no helper ${searcher}`);
  Atomics.add(shared, AT_WORK, 1);
  const part = new SharedPart(slot);
  work(part);
  part.writeTo(found);
  Atomics.sub(shared, AT_WORK, 1);
  Atomics.notify(shared, AT_WORK);
}

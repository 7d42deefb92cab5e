import { TopKHeap, type DocumentSum } from './top-k-heap.js';
import type { LeadingSearch, SearchTask } from './search-task.js';
import { sharedIntegers } from './shared-array.js';

/**
 * How long the lead waits for a helper that has begun. A block takes a fraction of a millisecond, so a slower one has
 * failed.
 */
const LONGEST_HELPER_WAIT_MS = 1_000;

/** Indexes into `shared`: the number of helpers that have begun and are not done, and the next block. */
const AT_WORK = 0;
const NEXT_BLOCK = 1;
/**
 * From this index on, two numbers of each searcher: a sum that `limit` of its documents reach, and one that its share
 * reach.
 */
const REACHED = 2;
const REACHED_NUMBERS = 2;

/** What a searcher needs to take part in a search. All but its own number is the same for every searcher. */
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
 * The part of one of several searchers. It keeps up to `limit` documents, and skips only those that cannot be in the
 * result, which it knows from its own documents and from the sums that the others have published.
 */
class SharedPart implements SearchTask {
  protected readonly best: TopKHeap;
  /** The best of them: the shares of all searchers together hold at least `limit` documents. */
  private readonly share: TopKHeap;
  /** No document with a smaller sum is in the result. */
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

  /** Writes the documents that it has kept to where the lead reads them. */
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
 * A search by several threads, each of which takes the next free block until none is left; the result is that of one
 * thread alone. The lead waits only for helpers that have begun: one whose thread wakes late finds no block left, so
 * nobody needs to wait for it.
 */
export class ParallelSearch extends SharedPart implements LeadingSearch {
  /**
   * @param limit documents wanted, at least 1.
   * @param helpers number of helpers that may take part.
   */
  static begin(limit: number, helpers: number): ParallelSearch {
    const searchers = 1 + helpers;
    const shared = sharedIntegers(REACHED + REACHED_NUMBERS * searchers);
    const found = Array.from({ length: helpers }, () => sharedIntegers(1 + 2 * limit));
    return new ParallelSearch({ searcher: 0, searchers, limit, shared, found });
  }

  /** The slot to send to a helper; `helper` is its number, from 1 on. */
  slotOf(helper: number): WorkerSlot {
    return { ...this.slot, searcher: helper };
  }

  /** @throws Error when a helper began and does not end. */
  finish(): DocumentSum[] {
    const { shared, found } = this.slot;
    // No helper takes a block any more: all are taken, and each helper was counted before it took one.
    for (let atWork = Atomics.load(shared, AT_WORK); atWork > 0; atWork = Atomics.load(shared, AT_WORK)) {
      if (Atomics.wait(shared, AT_WORK, atWork, LONGEST_HELPER_WAIT_MS) === 'timed-out')
        throw new Error('A helper has not ended');
    }
    for (const pairs of found) {
      const end = 1 + 2 * (pairs[0] ?? 0);
      for (let at = 1; at < end; at += 2) this.best.offer(pairs[at] ?? 0, pairs[at + 1] ?? 0);
    }
    return this.best.sorted();
  }
}

/**
 * Helps with a search as the searcher of the slot. Throws what `work` throws.
 * @param work takes blocks from the part and offers what it finds in them. If it throws, the helper never counts as
 * done, and the lead fails.
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

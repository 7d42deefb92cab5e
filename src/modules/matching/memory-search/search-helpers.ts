import { Worker } from 'node:worker_threads';
import type { Availability } from './columns/availability.js';
import type { HelperSearch, SharedAgents, WantedAgents } from './helper-messages.js';
import { type InvertedIndex, ParallelSearch } from '#libs/text-search';
import { workerFile } from './worker-file.js';

/**
 * Threads that look through an index together with the thread that keeps it, in the same memory. Where the index takes
 * other memory they end, and others are started for it: a thread that collects no garbage, as one does that makes none,
 * would keep what it knew before for good.
 */
export class SearchHelpers {
  private workers: readonly Worker[] = [];
  /** What they were started with. */
  private known: SharedAgents | null = null;

  /**
   * @param count how many threads, at least 1.
   * @param onLost one has ended by itself: a search that it has begun is never done.
   */
  constructor(
    private readonly count: number,
    private readonly onLost: (error: Error) => void,
  ) {}

  /**
   * Has all of them begin to look for agents that may be hired. Nothing of the index may change before the search is
   * finished. Threads that are only starting come late, and the search is done without them.
   * @param limit agents wanted.
   * @returns the part of the caller.
   */
  search(
    index: InvertedIndex,
    availability: Availability,
    { terms, atMs, excluded }: WantedAgents,
    limit: number,
  ): ParallelSearch {
    const { segment, replaced } = index.standing;
    this.know({ segment: segment.parts, replaced, until: availability.shared });
    const search = ParallelSearch.begin(limit, this.workers.length);
    for (const [at, worker] of this.workers.entries()) {
      const wanted: HelperSearch = { slot: search.slotOf(at + 1), terms, atMs, excluded };
      worker.postMessage(wanted);
    }
    return search;
  }

  /** Ends the threads, so that they keep no memory; the next search starts others. */
  async stop(): Promise<void> {
    const { workers } = this;
    this.workers = [];
    this.known = null;
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** Nothing to do while it is the memory that they know, whatever has been written to it since. */
  private know(agents: SharedAgents): void {
    if (this.known !== null && isSameMemory(this.known, agents)) return;
    // They end in their own time.
    void this.stop();
    this.known = agents;
    this.workers = Array.from({ length: this.count }, (_, at) => {
      const name = `match-helper-${at + 1}`;
      const worker = new Worker(workerFile('search-helper.worker.js'), { workerData: agents, name });
      worker.once('error', this.onLost);
      return worker;
    });
  }
}

function isSameMemory(one: SharedAgents, other: SharedAgents): boolean {
  const [ones, others] = [memoryOf(one), memoryOf(other)];
  return ones.length === others.length && ones.every((part, at) => part === others[at]);
}

/** All that a helper reads: which words are common, and arrays. */
function memoryOf({ segment, replaced, until }: SharedAgents): unknown[] {
  const { starts, documents, weights, greatest, common, end } = segment;
  return [end, starts, documents, weights, greatest, replaced, until, ...common.keys(), ...common.values()];
}

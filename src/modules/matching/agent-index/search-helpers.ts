import { Worker } from 'node:worker_threads';
import type { WeighedTerm } from '../briefs/task-words.js';
import type { Availability, HireQuery } from './availability.js';
import type { HelperMessage } from './helper-messages.js';
import type { PostingIndex } from './posting-index.js';
import type { StandingDocuments } from './posting-segment.js';
import { SharedSearch } from './shared-search.js';
import { workerFile } from './worker-file.js';

/** Threads that look through an index together with the thread that keeps it, in the same memory. */
export class SearchHelpers {
  private readonly workers: Worker[];
  /** What they were told of last. */
  private standing: StandingDocuments | null = null;
  private until: Float64Array | null = null;

  /**
   * @param count how many threads, at least 1.
   * @param onLost one has ended by itself: a search that it has begun is never done.
   */
  constructor(count: number, onLost: (error: Error) => void) {
    this.workers = Array.from({ length: count }, (_, at) => {
      const worker = new Worker(workerFile('search-helper.worker.js'), { name: `match-helper-${at + 1}` });
      worker.once('error', onLost);
      return worker;
    });
  }

  /**
   * Has all of them begin to look for agents that may be hired. Nothing of the index may change before the search is finished.
   * @param terms words of which an agent has one at least.
   * @param limit agents wanted.
   * @returns the part of the caller.
   */
  search(
    agents: PostingIndex,
    availability: Availability,
    { terms, atMs, excluded }: HireQuery & { terms: readonly WeighedTerm[] },
    limit: number,
  ): SharedSearch {
    this.tell(agents.standing, availability.shared);
    const search = SharedSearch.begin(limit, this.workers.length);
    for (const [at, worker] of this.workers.entries()) {
      send(worker, { kind: 'search', seat: search.seatOf(at + 1), terms, atMs, excluded });
    }
    return search;
  }

  /** Lets them know no agents, so that they keep no memory of any. */
  forget(): void {
    this.standing = null;
    this.until = null;
    for (const worker of this.workers) send(worker, { kind: 'agents', agents: null });
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  /** Nothing to say while it is the memory that they know, whatever has been written to it since. */
  private tell(standing: StandingDocuments, until: Float64Array): void {
    if (standing === this.standing && until === this.until) return;
    this.standing = standing;
    this.until = until;
    const agents = { segment: standing.segment.parts, replaced: standing.replaced, until };
    for (const worker of this.workers) send(worker, { kind: 'agents', agents });
  }
}

function send(worker: Worker, message: HelperMessage): void {
  worker.postMessage(message);
}

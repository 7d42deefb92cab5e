import { Worker } from 'node:worker_threads';
import type { HireableAgents } from './columns/hireable-agents.js';
import type { HelperSearch, SharedAgents, WantedAgents } from './helper-messages.js';
import { type InvertedIndex, ParallelSearch } from '#libs/text-search';
import { workerFile } from './worker-file.js';

/**
 * Helper threads that search an index together with its own thread, in shared memory. When the index allocates new
 * memory, the helpers are ended and new ones are started: a helper creates no garbage, so its collector would never run
 * and never free the old memory.
 */
export class SearchHelpers {
  private workers: readonly Worker[] = [];
  /** The memory that the present helpers were started with. */
  private known: SharedAgents | null = null;

  /**
   * @param count number of threads, at least 1.
   * @param onLost called when a helper has failed; a search that it has begun never finishes.
   */
  constructor(
    private readonly count: number,
    private readonly onLost: (error: Error) => void,
  ) {}

  /**
   * Starts a search for hireable agents in all helpers. The index must not change before the search is finished. A
   * helper that is still starting does not delay the search, which is then done without it.
   * @param limit agents wanted.
   * @returns the search, in which the caller takes part.
   */
  search(
    index: InvertedIndex,
    hireable: HireableAgents,
    { terms, atMs, excluded }: WantedAgents,
    limit: number,
  ): ParallelSearch {
    const { segment, replaced } = index.standing;
    this.know({ segment: segment.parts, replaced, hireable: hireable.shared });
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

  /**
   * Starts new helpers unless the present ones already use this memory. Later writes to the same memory need no
   * restart.
   */
  private know(agents: SharedAgents): void {
    if (this.known !== null && isSameMemory(this.known, agents)) return;
    // The old helpers end in the background.
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

/** Everything that a helper reads: the common words and the arrays. */
function memoryOf({ segment, replaced, hireable: { until, owners } }: SharedAgents): unknown[] {
  const { starts, documents, weights, greatest, common, end } = segment;
  return [end, starts, documents, weights, greatest, replaced, until, owners, ...common.keys(), ...common.values()];
}

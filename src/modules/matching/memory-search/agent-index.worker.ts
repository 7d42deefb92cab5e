import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { AgentIndex } from './agent-index.js';
import { IndexConnection } from './index-connection.js';
import type { IndexOrder, IndexQuestion, IndexReport } from './index-messages.js';
import { SearchHelpers } from './search-helpers.js';

/** How often changes are read while nobody asks, so that the next who does finds few. */
const LOOK_MS = 1_000;
/** Threads that search together, at most; one for each processor. (policy) */
const MOST_SEARCHERS = 4;

/**
 * The thread of the index: answers questions until its connection breaks or anything else goes wrong. Then it ends, and
 * whoever started it starts another one, which loads everything anew.
 */
const order: IndexOrder = workerData;
const say = (report: IndexReport): void => parentPort?.postMessage(report);
const end = (error: Error): never => {
  throw error;
};
const helpers = Math.min(MOST_SEARCHERS, availableParallelism()) - 1;
const connection = await IndexConnection.open(order.databaseUrl, end);
const index = new AgentIndex(
  connection,
  (state) => say({ kind: 'state', state }),
  helpers > 0 ? new SearchHelpers(helpers, end) : null,
);

async function search({ id, query, sinceMs }: Extract<IndexQuestion, { kind: 'search' }>): Promise<void> {
  const agents = await index.search(query, sinceMs);
  say({ kind: 'found', id, agents });
}

// What fails here ends the thread: the error is nobody's to handle.
parentPort?.on('message', (question: IndexQuestion) => {
  if (question.kind === 'look') void index.follow();
  else void search(question);
});
for (;;) {
  await index.follow();
  await sleep(LOOK_MS);
}

import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { AgentIndex } from './agent-index.js';
import { IndexConnection } from './index-connection.js';
import type { IndexOrder, IndexQuestion, IndexReport } from './index-messages.js';
import { SearchHelpers } from './search-helpers.js';

/** Interval of reading changes without a search, so that the next search has few to read. */
const LOOK_MS = 1_000;
/** Most threads that search together, the index thread included; never more than processors. (policy) */
const MOST_SEARCHERS = 4;

/**
 * The thread of the index. It answers searches until its connection breaks or anything else fails. Then it ends, and
 * AgentIndexThread starts a new one, which loads everything anew.
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

// Errors are not handled here, so that any failure ends the thread.
parentPort?.on('message', (question: IndexQuestion) => {
  if (question.kind === 'read_changes') void index.follow();
  else void search(question);
});
for (;;) {
  await index.follow();
  await sleep(LOOK_MS);
}

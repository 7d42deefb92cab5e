import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { packAgents } from './agent-columns.js';
import { AgentIndex } from './agent-index.js';
import { IndexConnection } from './index-connection.js';
import type { IndexOrder, IndexQuestion, IndexReport } from './index-messages.js';

/** How often changes are read while nobody asks, so that the next who does finds few. */
const LOOK_MS = 1_000;

/**
 * The thread of the index: answers questions until its connection breaks or anything else goes wrong. Then it ends, and
 * whoever started it starts another one, which loads everything anew.
 */
const order: IndexOrder = workerData;
const say = (report: IndexReport): void => parentPort?.postMessage(report);
const connection = await IndexConnection.open(order.databaseUrl, (error) => {
  throw error;
});
const index = new AgentIndex(connection, (state) => say({ kind: 'state', state }));
parentPort?.on('message', (question: IndexQuestion) => {
  // What fails here ends the thread: the error is nobody's to handle.
  if (question.kind === 'look') {
    void index.follow();
    return;
  }
  const { id, query, sinceMs } = question;
  void index.search(query, sinceMs).then((agents) => {
    say({ kind: 'found', id, agents: agents && packAgents(agents) });
  });
});
for (;;) {
  await index.follow();
  await sleep(LOOK_MS);
}

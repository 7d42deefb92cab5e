import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { packAgents } from './agent-columns.js';
import { AgentIndex } from './agent-index.js';
import { IndexConnection } from './index-connection.js';
import type { IndexOrder, IndexQuestion, IndexReport } from './index-messages.js';
import type { IndexedAgent } from './known-facts.js';

/** How often changes are read while nobody asks, so that the next who does finds few. */
const LOOK_MS = 1_000;

/**
 * The thread of the index: answers questions until its connection breaks or anything else goes wrong. Then it ends, and
 * whoever started it starts another one, which loads everything anew.
 */
const order: IndexOrder = workerData;
const say = (report: IndexReport): void => parentPort?.postMessage(report);
const sayAgents = (id: number, agents: IndexedAgent[] | null): void =>
  say({ kind: 'agents', id, agents: agents && packAgents(agents) });
const connection = await IndexConnection.open(order.databaseUrl, (error) => {
  throw error;
});
const index = new AgentIndex(connection, (state) => say({ kind: 'state', state }));
parentPort?.on('message', (question: IndexQuestion) => {
  const { id } = question;
  if (question.kind === 'agents') {
    sayAgents(id, index.agentsOf(question.query));
    return;
  }
  // A search that fails ends the thread: the error is nobody's to handle.
  void index.search(question.query).then((found) => {
    // Who settled the briefs is looked up while the agents are looked for.
    say({ kind: 'briefs', id, briefs: found?.briefs ?? null });
    sayAgents(id, found?.agents() ?? null);
  });
});
for (;;) {
  await index.follow();
  await sleep(LOOK_MS);
}

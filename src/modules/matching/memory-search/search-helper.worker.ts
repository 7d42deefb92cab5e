import { parentPort, workerData } from 'node:worker_threads';
import { HireableAgents } from './columns/hireable-agents.js';
import type { HelperSearch, SharedAgents } from './helper-messages.js';
import { runHelper, Segment, SegmentSearch } from '#libs/text-search';

/**
 * A thread that helps the index to search agents. It uses only its start data and the shared memory. Errors are not
 * handled here: any failure ends this thread, and the index with it.
 */
const agents: SharedAgents = workerData;
const standing = { segment: new Segment(agents.segment), replaced: agents.replaced };
const hireable = new HireableAgents(agents.hireable);
const search = new SegmentSearch();

parentPort?.on('message', (wanted: HelperSearch) => {
  const { terms, slot } = wanted;
  const accepts = (agent: number): boolean => hireable.mayBeHired(agent, wanted);
  runHelper(slot, (part) => search.find(standing, { terms, leading: terms.length, accepts }, part));
});

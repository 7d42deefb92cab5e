import { parentPort, workerData } from 'node:worker_threads';
import { Availability } from './availability.js';
import type { HelperSearch, SharedAgents } from './helper-messages.js';
import { PostingSegment } from './posting-segment.js';
import { SegmentSearch } from './segment-search.js';
import { help } from './shared-search.js';

/**
 * A thread that helps the index to look for agents. It knows what it is started with and asks nobody: what fails here ends
 * the thread, and the index with it.
 */
const agents: SharedAgents = workerData;
const standing = { segment: new PostingSegment(agents.segment), replaced: agents.replaced };
const availability = new Availability(agents.until);
const search = new SegmentSearch();

parentPort?.on('message', (wanted: HelperSearch) => {
  const { terms, seat } = wanted;
  const accepts = (agent: number): boolean => availability.mayBeHired(agent, wanted);
  help(seat, (part) => search.find(standing, { terms, leading: terms.length, accepts }, part));
});

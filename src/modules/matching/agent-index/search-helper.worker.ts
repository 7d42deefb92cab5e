import { parentPort } from 'node:worker_threads';
import { Availability } from './availability.js';
import type { HelperMessage, SharedAgents } from './helper-messages.js';
import { PostingSegment, type StandingDocuments } from './posting-segment.js';
import { SegmentSearch } from './segment-search.js';
import { help } from './shared-search.js';

/**
 * A thread that helps the index to look for agents. It knows what it is told and asks nobody: what fails here ends the
 * thread, and the index with it.
 */
const search = new SegmentSearch();
let agents: { standing: StandingDocuments; availability: Availability } | null = null;

function know({ segment, replaced, until }: SharedAgents): void {
  agents = {
    standing: { segment: new PostingSegment(segment), replaced },
    availability: new Availability(until),
  };
}

parentPort?.on('message', (message: HelperMessage) => {
  if (message.kind === 'agents') {
    agents = null;
    if (message.agents !== null) know(message.agents);
  } else if (agents !== null) {
    const { standing, availability } = agents;
    const { terms, seat } = message;
    const accepts = (agent: number): boolean => availability.mayBeHired(agent, message);
    help(seat, (part) => search.find(standing, { terms, leading: terms.length, accepts }, part));
  }
});

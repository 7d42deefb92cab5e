import type { HireQuery } from './columns/availability.js';
import type { WorkerSlot, SegmentParts, WeighedTerm } from '#libs/text-search';

/** What a helper is started with: the agents that it looks through, in memory that it shares with the index. */
export interface SharedAgents {
  segment: SegmentParts;
  replaced: Uint8Array;
  /** `Availability.shared`. */
  until: Float64Array;
}

/** Which agents are looked for: those that may be hired and have one of these words. */
export interface WantedAgents extends HireQuery {
  terms: readonly WeighedTerm[];
}

/** To a helper: to look for some of the agents. */
export interface HelperSearch extends WantedAgents {
  slot: WorkerSlot;
}

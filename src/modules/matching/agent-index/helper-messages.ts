import type { WeighedTerm } from '../briefs/task-words.js';
import type { HireQuery } from './availability.js';
import type { SegmentParts } from './posting-segment.js';
import type { Seat } from './shared-search.js';

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
  seat: Seat;
}

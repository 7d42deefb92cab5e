import type { WeighedTerm } from '../briefs/task-words.js';
import type { SegmentParts } from './posting-segment.js';
import type { Seat } from './shared-search.js';

/** What a helper is started with: the agents that it looks through, in memory that it shares with the index. */
export interface SharedAgents {
  segment: SegmentParts;
  replaced: Uint8Array;
  /** `Availability.shared`. */
  until: Float64Array;
}

/** To a helper: to look for some of the agents. */
export interface HelperSearch {
  seat: Seat;
  /** Each of these words makes an agent one to look at. */
  terms: readonly WeighedTerm[];
  atMs: number;
  excluded: ReadonlySet<number>;
}

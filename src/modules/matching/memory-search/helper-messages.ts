import type { HireQuery, SharedHireable } from './columns/hireable-agents.js';
import type { WorkerSlot, SegmentParts, WeighedTerm } from '#libs/text-search';

/** Start data of a helper thread: the agents that it searches, in memory shared with the index. */
export interface SharedAgents {
  segment: SegmentParts;
  replaced: Uint8Array;
  /** `HireableAgents.shared`. */
  hireable: SharedHireable;
}

/** A search for agents that may be hired and have at least one of the words. */
export interface WantedAgents extends HireQuery {
  terms: readonly WeighedTerm[];
}

/** Message to a helper: search a part of the agents. */
export interface HelperSearch extends WantedAgents {
  slot: WorkerSlot;
}

import type { WeighedTerm } from '../briefs/task-words.js';
import type { SegmentParts } from './posting-segment.js';
import type { Seat } from './shared-search.js';

/** The agents that a helper looks through, in memory that it shares with the index. */
export interface SharedAgents {
  segment: SegmentParts;
  replaced: Uint8Array;
  /** `Availability.shared`. */
  until: Float64Array;
}

/** To a helper: which agents there are, null for none any more; and to look for some of them, if there are any. */
export type HelperMessage =
  | { kind: 'agents'; agents: SharedAgents | null }
  | {
      kind: 'search';
      seat: Seat;
      /** Each of these words makes an agent one to look at. */
      terms: readonly WeighedTerm[];
      atMs: number;
      excluded: ReadonlySet<number>;
    };

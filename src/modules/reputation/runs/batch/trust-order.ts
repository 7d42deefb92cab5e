import type { TrustPhase } from './trust-run.entity.js';

/** The order for the thread of a run; plain data. */
export interface TrustOrder {
  databaseUrl: string;
  runId: number;
  /** Time as of which records are refreshed, milliseconds since 1970. */
  asOfMs: number;
  /** The verified buyers, each with a keyed hash that decides its cohort. */
  anchors: readonly { accountId: string; key: string }[];
}

/** Figures of a run; see `TrustRunEntity`. */
export interface TrustFigures {
  principals: number;
  edges: number;
  settlements: number;
  clusters: number;
}

/** Messages of a run's thread: each phase when it begins, and the figures when everything is written. */
export type TrustReport = { kind: 'phase'; phase: TrustPhase } | { kind: 'finished'; figures: TrustFigures };

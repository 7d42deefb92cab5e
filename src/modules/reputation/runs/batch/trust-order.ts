import type { TrustPhase } from './trust-run.entity.js';

/** What a run's thread is told; plain data. */
export interface TrustOrder {
  databaseUrl: string;
  runId: number;
  /** The time that records are refreshed to; milliseconds since 1970. */
  asOfMs: number;
  /** The verified buyers, each with a keyed hash that deals it into a cohort. */
  anchors: readonly { accountId: string; key: string }[];
}

/** What a run has found; see `TrustRunEntity`. */
export interface TrustFigures {
  principals: number;
  edges: number;
  settlements: number;
  clusters: number;
}

/** What a run's thread says: each phase as it begins, and its figures when all is written. */
export type TrustReport = { kind: 'phase'; phase: TrustPhase } | { kind: 'finished'; figures: TrustFigures };

import type { WeighedTerm } from '#libs/text-search';
import type { AgentColumns } from './columns/agent-columns.js';

/** Start data of the index thread. */
export interface IndexOrder {
  databaseUrl: string;
}

/** A search in the index. */
export interface IndexQuery {
  /** Words of the task, weighted by their idf. */
  terms: readonly WeighedTerm[];
  /** Words of the task's brief, the heaviest first. */
  brief: readonly WeighedTerm[];
  /** True: only briefs paid by independent buyers count. */
  anchored: boolean;
  /**
   * What must not be found: the agents of accounts and wallets, single agents by number, and the task's own settled brief;
   * 0 without one.
   */
  excluded: { owners: readonly string[]; agents: readonly number[]; brief: number };
  /** Milliseconds since 1970. */
  atMs: number;
}

/** State of an index. */
export interface IndexState {
  /** True while the index can answer searches. */
  isReady: boolean;
  /** Size of the index's arrays in bytes; ids kept in maps are not counted. */
  bytes: number;
}

/** Messages to the thread: read changes for a search that is about to come, or search. */
export type IndexQuestion =
  | { kind: 'read_changes' }
  | {
      kind: 'search';
      id: number;
      query: IndexQuery;
      /** The result must include everything committed before this moment, by `monotonicMs`. */
      sinceMs: number;
    };

/** Messages from the thread: its state, or the result of a search; `agents` is null when the index cannot answer. */
export type IndexReport =
  | { kind: 'state'; state: IndexState }
  | { kind: 'found'; id: number; agents: AgentColumns | null };

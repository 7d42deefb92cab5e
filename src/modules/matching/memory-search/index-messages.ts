import type { WeighedTerm } from '#libs/text-search';
import type { AgentColumns } from './columns/agent-columns.js';

/** What the thread of an index is started with; plain data. */
export interface IndexOrder {
  databaseUrl: string;
}

/** What an index looks for. */
export interface IndexQuery {
  /** Words of the task, their idf as weight. */
  terms: readonly WeighedTerm[];
  /** Words of its brief, the heaviest first. */
  brief: readonly WeighedTerm[];
  /** Whether only briefs of independent buyers count. */
  anchored: boolean;
  /** Numbers of agents that are not looked for, and of the settled brief of the task itself; 0 without one. */
  excluded: { agents: readonly number[]; brief: number };
  /** Milliseconds since 1970. */
  atMs: number;
}

/** What an index is like. */
export interface IndexState {
  /** Whether it answers. */
  isReady: boolean;
  /** Of its arrays of numbers; the ids and owners of agents come in addition. */
  bytes: number;
}

/** To the thread: to look at what has changed, for a search that is about to come, and to search. */
export type IndexQuestion =
  | { kind: 'look' }
  | {
      kind: 'search';
      id: number;
      query: IndexQuery;
      /** What was committed before this moment is to be found; `monotonicMs`. */
      sinceMs: number;
    };

/** From the thread: what a search found, without agents while the index is not what the database is. */
export type IndexReport =
  { kind: 'state'; state: IndexState } | { kind: 'found'; id: number; agents: AgentColumns | null };

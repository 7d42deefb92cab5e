import type { WeighedTerm } from '../briefs/task-words.js';
import type { DocumentSum } from './best-sums.js';

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
  buyerAccounts: readonly string[];
  buyerWallet: string;
  refusedAgents: readonly string[];
  /** Milliseconds since 1970. */
  atMs: number;
}

/** What an index has found, each the best first. */
export interface IndexAnswer {
  /** Agents by number with their relevance. */
  agents: DocumentSum[];
  /** Settled briefs by number with the product of their weights and the task's. */
  briefs: DocumentSum[];
}

/** What an index is like. */
export interface IndexState {
  /** Whether it answers. */
  isReady: boolean;
  /** Of all its arrays. */
  bytes: number;
}

/** To the thread. */
export interface IndexQuestion {
  id: number;
  query: IndexQuery;
}

/** From the thread; an answer is null while the index is not what the database is. */
export type IndexReport =
  { kind: 'state'; state: IndexState } | { kind: 'answer'; id: number; answer: IndexAnswer | null };

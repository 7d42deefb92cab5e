import type { WeighedTerm } from '../briefs/task-words.js';
import type { AgentColumns } from './agent-columns.js';
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

/** Agents that are asked about by number, in the words of a task. */
export type AgentsQuery = Pick<IndexQuery, 'terms' | 'atMs'> & { numbers: readonly number[] };

/** What an index is like. */
export interface IndexState {
  /** Whether it answers. */
  isReady: boolean;
  /** Of its arrays of numbers; the ids and owners of agents come in addition. */
  bytes: number;
}

/** To the thread: a search is answered twice, first with briefs and then with agents. */
export type IndexQuestion = { id: number } & (
  { kind: 'search'; query: IndexQuery } | { kind: 'agents'; query: AgentsQuery }
);

/** What is answered, by kind; null while the index is not what the database is. */
export interface IndexAnswers {
  /** The most similar settled briefs by number, with the product of their weights and the task's. */
  briefs: DocumentSum[] | null;
  /** The most relevant agents that the buyer may hire, or those that were asked about. */
  agents: AgentColumns | null;
}

/** From the thread. */
export type IndexReport =
  | { kind: 'state'; state: IndexState }
  | { kind: 'briefs'; id: number; briefs: IndexAnswers['briefs'] }
  | { kind: 'agents'; id: number; agents: IndexAnswers['agents'] };

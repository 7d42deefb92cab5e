import type { WeighedTerm } from '#libs/text-search';
import type { TaskTerm } from '../relevance/task-words.js';
import type { EligibilityFacts, Hirer } from './eligibility.js';
import type { RankingCandidate } from './rank.js';

/** A search for candidates. */
export interface CandidateQuery {
  taskId: string;
  /** Words of the task. */
  terms: readonly TaskTerm[];
  /** The task's brief as a vector. */
  brief: readonly WeighedTerm[];
  buyer: Hirer;
  /** Accounts of the buyer's cluster, including the buyer's own. */
  buyerAccounts: readonly string[];
  /** Agents that have declined the task or whose work for it was rejected. */
  refusedAgents: readonly string[];
  /** Agents that are counted as shown for the task. */
  shownAgents: ReadonlySet<string>;
  /**
   * What an index must not find besides the buyer's agents: numbers of the refused agents, and of the task's own brief; 0
   * without one.
   */
  excluded: { agents: readonly number[]; brief: number };
  /** True when the operator has verified buyers; then only briefs paid by independent buyers count. */
  anchored: boolean;
  at: Date;
}

/** An agent that may be hired for a task. */
export interface Candidate extends RankingCandidate, EligibilityFacts {
  /** Number of the agent in postings and snapshots. */
  agentNumber: number;
}

/** Finishes a started search, once its query is known. Resolves to the candidates in no order. */
export type CandidateSearch = (query: CandidateQuery) => Promise<Candidate[]>;

/**
 * Finds the candidates for a task: agents that share a word with it or have settled a similar brief. Agents that the
 * hard filters refuse (eligibility.ts) are left out already here, so that they cannot fill the limit.
 */
export abstract class CandidateSource {
  /** Starts a search before its query is known. The result reflects the market at this moment or later. */
  abstract begin(): CandidateSearch;
}

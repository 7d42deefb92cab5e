import type { TaskTerm, WeighedTerm } from '../briefs/task-words.js';
import type { EligibilityFacts, Hirer } from '../eligibility.js';
import type { RankingCandidate } from '../rank.js';

/** What candidates are looked for by. */
export interface CandidateQuery {
  taskId: string;
  /** Words of the task. */
  terms: readonly TaskTerm[];
  /** Its brief as a vector. */
  brief: readonly WeighedTerm[];
  buyer: Hirer;
  /** Accounts of the buyer's cluster, its own among them. */
  buyerAccounts: readonly string[];
  /** Agents that have refused the task, or were turned down after they had worked for it. */
  refusedAgents: readonly string[];
  /** Agents that were shown for the task, as far as they are counted for that. */
  shownAgents: ReadonlySet<string>;
  /** What an index leaves out: numbers of agents that the buyer may not hire, and of the task's own brief; 0 without one. */
  excluded: { agents: readonly number[]; brief: number };
  /** Whether the operator has named verified buyers: then only briefs of independent ones count. */
  anchored: boolean;
  at: Date;
}

/** An agent that may be hired for a task. */
export interface Candidate extends RankingCandidate, EligibilityFacts {
  /** The agent as postings and snapshots name it. */
  agentNumber: number;
}

/** The rest of a search, once it is known what for. */
export type CandidateSearch = (query: CandidateQuery) => Promise<Candidate[]>;

/**
 * Where the candidates for a task come from: agents that have a word in common with it or have settled a similar brief,
 * none of them that the hard filters refuse (eligibility.ts), so that a limit never fills with those.
 */
export abstract class CandidateSource {
  /** Begins a search while it is still read what for; it finds the market as it is now or later. */
  abstract begin(): CandidateSearch;
}

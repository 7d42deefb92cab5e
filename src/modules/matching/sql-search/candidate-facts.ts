import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { arrayText } from '../relevance/pg-array.js';
import { type SettledAgents, settledAgents } from '../search-tables/settled-briefs/settled-agents.js';
import { BRIEF_CANDIDATES, TEXT_CANDIDATES } from '../relevance/matching-limits.js';
import { relevanceIn } from '../relevance/packed-postings.js';
import { similarityOf } from '../relevance/similar-briefs.js';
import { candidateOf } from './candidate-row.js';
import type { Candidate, CandidateQuery } from '../ranking/candidate-source.js';
import { CANDIDATES, KEPT_CANDIDATES, type KeptRow, type RelevantRow } from './candidates.sql.js';
import { KnownAgents } from './known-agents.js';
import type { ScoreAccumulator } from './score-accumulator.js';

/** Results of the searches for candidates, while these are running. */
export interface FoundAgents {
  /** Agents found by their texts. */
  byText: Promise<ScoreAccumulator>;
  settled: Promise<SettledAgents>;
  /** Numbers of agents whose rows in `match_agents` may be outdated; null: all may be. */
  pending: Promise<ReadonlySet<number> | null>;
}

/** Reads the agents that have settled briefs, and the candidates' values, from the database. */
@Injectable()
export class CandidateFacts {
  constructor(private readonly reads: SearchConnections) {}

  /** Finds the agents that settled the most similar of these briefs. */
  settled(query: CandidateQuery, briefs: ScoreAccumulator): Promise<SettledAgents> {
    return settledAgents(this.reads, query, (count) => briefs.best(count));
  }

  /** Returns the best hireable agents of those found by text and of those with settled briefs, in no order. */
  async bestCandidates(query: CandidateQuery, found: FoundAgents): Promise<Candidate[]> {
    const agents = new KnownAgents(async (numbers) => this.read(query, numbers, await found.pending));
    const [candidates, settled] = await Promise.all([
      agents.firstOf([
        found.byText.then((sums) => ({ first: (count) => sums.best(count), limit: TEXT_CANDIDATES })),
        found.settled.then((dots) => ({ first: (count) => [...dots.keys()].slice(0, count), limit: BRIEF_CANDIDATES })),
      ]),
      found.settled,
    ]);
    for (const candidate of candidates) candidate.similarity = similarityOf(settled.get(candidate.agentNumber) ?? 0);
    return candidates;
  }

  /** Reads these agents and returns those that may be hired, in no order. */
  private async read(
    query: CandidateQuery,
    numbers: readonly number[],
    pending: ReadonlySet<number> | null,
  ): Promise<Candidate[]> {
    const isKept = (number: number): boolean => pending !== null && !pending.has(number);
    const parts = await Promise.all([
      this.kept(query, numbers.filter(isKept)),
      this.gathered(
        query,
        numbers.filter((number) => !isKept(number)),
      ),
    ]);
    return parts.flat();
  }

  /** Reads agents from `match_agents`. */
  private async kept(query: CandidateQuery, numbers: readonly number[]): Promise<Candidate[]> {
    if (numbers.length === 0) return [];
    const { name, text } = KEPT_CANDIDATES;
    const rows = await this.reads.query<KeptRow>(name, text, [...factValues(query), arrayText(numbers)]);
    const idfs = new Map(query.terms.map(({ termId, idf }) => [termId, idf]));
    return rows.map((row) => candidateOf(row, relevanceIn(row.postings, idfs)));
  }

  /** Reads agents from the source tables. */
  private async gathered(query: CandidateQuery, numbers: readonly number[]): Promise<Candidate[]> {
    if (numbers.length === 0) return [];
    const values = [...factValues(query), arrayText(numbers), ...wordValues(query)];
    const rows = await this.reads.query<RelevantRow>(CANDIDATES.name, CANDIDATES.text, values);
    return rows.map((row) => candidateOf(row, Number(row.relevance)));
  }
}

/** The values $1 to $4 of the statements of candidates.sql.ts. */
export function factValues({ buyer, buyerAccounts, refusedAgents, at }: CandidateQuery): unknown[] {
  return [buyerAccounts, buyer.walletAddress, refusedAgents, at.toISOString()];
}

/** The values $6 and $7 of `CANDIDATES` and `ONE_CANDIDATE`. */
export function wordValues({ terms }: CandidateQuery): unknown[] {
  return [arrayText(terms.map(({ termId }) => termId)), arrayText(terms.map(({ idf }) => idf))];
}

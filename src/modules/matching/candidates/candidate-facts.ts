import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/read-connections.js';
import { arrayText } from '../array-texts.js';
import { type AlikeBriefs, type SettledAgents, settledAgents } from '../briefs/settled-agents.js';
import { BRIEF_CANDIDATES, TEXT_CANDIDATES } from '../matching-limits.js';
import { candidateOf } from './candidate-row.js';
import type { Candidate, CandidateQuery } from './candidate-source.js';
import { type CandidateRow, CANDIDATES } from './candidates.sql.js';
import { KnownAgents } from './known-agents.js';

/** Agents that may be candidates. */
export interface FoundAgents {
  /** So many of those found by text, the best first; fewer when there are no more. */
  byText: (count: number) => readonly number[];
  settled: SettledAgents;
}

/** Reads who has settled briefs, and what is known of agents that were found in the database. */
@Injectable()
export class CandidateFacts {
  constructor(private readonly reads: SearchConnections) {}

  /** Who settled these briefs. */
  settled(query: CandidateQuery, alike: AlikeBriefs): Promise<SettledAgents> {
    return settledAgents(({ name, text }, values) => this.reads.query(name, text, values), query, alike);
  }

  /** The best of those found by text and of those who have settled, as far as they may be hired, in no order. */
  of(query: CandidateQuery, { byText, settled }: FoundAgents): Promise<Candidate[]> {
    const values = factValues(query);
    const bySettled = [...settled.keys()];
    const agents = new KnownAgents(async (numbers) => {
      const rows = await this.reads.query<CandidateRow>(CANDIDATES.name, CANDIDATES.text, [
        ...values,
        arrayText(numbers),
      ]);
      return rows.map((row) => candidateOf(row, settled.get(Number(row.number)) ?? 0));
    });
    return agents.firstOf([
      { first: byText, limit: TEXT_CANDIDATES },
      { first: (count) => bySettled.slice(0, count), limit: BRIEF_CANDIDATES },
    ]);
  }
}

/** The values $1 to $7 of `CANDIDATES` and `ONE_CANDIDATE`. */
export function factValues({ taskId, terms, buyer, buyerAccounts, refusedAgents, at }: CandidateQuery): unknown[] {
  return [
    terms.map(({ termId }) => termId),
    terms.map(({ idf }) => idf),
    taskId,
    buyerAccounts,
    buyer.walletAddress,
    refusedAgents,
    at.toISOString(),
  ];
}

import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/read-connections.js';
import { arrayText } from '../array-texts.js';
import { BRIEF_CANDIDATES, TEXT_CANDIDATES } from '../matching-limits.js';
import { candidateOf } from './candidate-row.js';
import type { Candidate, CandidateQuery } from './candidate-source.js';
import { type CandidateRow, CANDIDATES, SETTLED_AGENTS, type SettledAgentRow } from './candidates.sql.js';
import { KnownAgents } from './known-agents.js';

/** Settled briefs that are like a task's. */
export interface AlikeBriefs {
  numbers: readonly number[];
  /** Of their weights and the task's; none where they are still to be made. */
  products: readonly number[];
}

/** Agents by what they have settled, the most similar first: number to product of weights. */
export type SettledAgents = ReadonlyMap<number, number>;

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
  async settled({ taskId, brief, anchored }: CandidateQuery, alike: AlikeBriefs): Promise<SettledAgents> {
    if (alike.numbers.length === 0) return new Map();
    const words = [brief.map(({ termId }) => termId), brief.map(({ weight }) => weight)];
    const values = [...words, taskId, anchored, alike.numbers, alike.products];
    const rows = await this.reads.query<SettledAgentRow>(SETTLED_AGENTS.name, SETTLED_AGENTS.text, values);
    return new Map(rows.map(({ number, dot }) => [Number(number), Number(dot)]));
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

import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../../platform/database/read-connections.js';
import { candidateOf } from './candidate-row.js';
import type { Candidate, CandidateQuery } from './candidate-source.js';
import { type CandidateRow, CANDIDATES, SETTLED_AGENTS, type SettledAgentRow } from './candidates.sql.js';

/** Settled briefs that are like a task's. */
export interface AlikeBriefs {
  numbers: readonly number[];
  /** Of their weights and the task's; none where they are still to be made. */
  products: readonly number[];
}

/** Agents by what they have settled, the most similar first: number to product of weights. */
export type SettledAgents = ReadonlyMap<number, number>;

/** Agents that may be candidates, each kind the best first. */
export interface FoundAgents {
  byText: readonly number[];
  /** Of those by text; none where it is still to be made. */
  relevances: readonly number[];
  settled: SettledAgents;
}

/** Reads what is known of agents that were found, wherever they were found. */
@Injectable()
export class CandidateFacts {
  constructor(private readonly reads: ReadConnections) {}

  /** Who settled these briefs. */
  async settled({ taskId, brief, anchored }: CandidateQuery, alike: AlikeBriefs): Promise<SettledAgents> {
    if (alike.numbers.length === 0) return new Map();
    const words = [brief.map(({ termId }) => termId), brief.map(({ weight }) => weight)];
    const values = [...words, taskId, anchored, alike.numbers, alike.products];
    const rows = await this.reads.query<SettledAgentRow>(SETTLED_AGENTS.name, SETTLED_AGENTS.text, values);
    return new Map(rows.map(({ number, dot }) => [Number(number), Number(dot)]));
  }

  /** Those of the agents that may be hired, in no order. */
  async of(query: CandidateQuery, { byText, relevances, settled }: FoundAgents): Promise<Candidate[]> {
    const values = [...factValues(query), byText, relevances, [...settled.keys()]];
    const rows = await this.reads.query<CandidateRow>(CANDIDATES.name, CANDIDATES.text, values);
    return rows.map((row) => candidateOf(row, settled.get(Number(row.number)) ?? 0));
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

import type { ReadConnections } from '../../../../platform/database/reads/read-connections.js';
import { arrayText } from '../../relevance/pg-array.js';
import { SETTLED_AGENTS, type SettledAgentRow } from './settled-agents.sql.js';
import type { WeighedTerm } from '#libs/text-search';

/** A search for agents that have settled similar briefs. */
export interface SettledQuery {
  taskId: string;
  /** The task's brief as a vector. */
  brief: readonly WeighedTerm[];
  /** True: only settlements paid by independent buyers count. */
  anchored: boolean;
}

/** Agents that have settled similar briefs, the most similar first: agent number to dot product. */
export type SettledAgents = ReadonlyMap<number, number>;

/** Finds the agents that settled these briefs. @param numbers of the briefs. */
export async function settledAgents(
  reads: ReadConnections,
  { taskId, brief, anchored }: SettledQuery,
  numbers: readonly number[],
): Promise<SettledAgents> {
  if (numbers.length === 0) return new Map();
  const words = [arrayText(brief.map(({ termId }) => termId)), arrayText(brief.map(({ weight }) => weight))];
  const values = [...words, taskId, anchored, arrayText(numbers)];
  const rows = await reads.query<SettledAgentRow>(SETTLED_AGENTS.name, SETTLED_AGENTS.text, values);
  return new Map(rows.map(({ number, dot }) => [Number(number), Number(dot)]));
}

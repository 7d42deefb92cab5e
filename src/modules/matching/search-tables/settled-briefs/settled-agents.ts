import type { ReadConnections } from '../../../../platform/database/reads/read-connections.js';
import { BRIEFS_READ, BRIEFS_READ_FIRST, BRIEFS_READ_MORE, SIMILAR_BRIEFS } from '../../relevance/matching-limits.js';
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

/**
 * Finds the agents that settled the most similar of these briefs. Briefs that count for nobody do not fill the limit, and
 * equally similar ones count as one: `SettledWork` and `GreatestSums` do the same in memory.
 * @param mostSimilar returns the numbers of this many briefs, the most similar first, or of all when there are fewer.
 */
export async function settledAgents(
  reads: ReadConnections,
  { taskId, brief, anchored }: SettledQuery,
  mostSimilar: (count: number) => readonly number[],
): Promise<SettledAgents> {
  const words = [arrayText(brief.map(({ termId }) => termId)), arrayText(brief.map(({ weight }) => weight))];
  const found: { agent: number; dot: number }[] = [];
  const dots = new Set<number>();
  let count = BRIEFS_READ_FIRST;
  for (let read = 0; read < BRIEFS_READ && dots.size < SIMILAR_BRIEFS; read += count, count *= BRIEFS_READ_MORE) {
    const numbers = mostSimilar(Math.min(read + count, BRIEFS_READ)).slice(read);
    if (numbers.length === 0) break;
    const values = [...words, taskId, anchored, arrayText(numbers)];
    const rows = await reads.query<SettledAgentRow>(SETTLED_AGENTS.name, SETTLED_AGENTS.text, values);
    for (const row of rows) {
      const dot = Number(row.dot);
      found.push({ agent: Number(row.number), dot });
      dots.add(dot);
    }
  }
  const kept = new Set([...dots].sort((a, b) => b - a).slice(0, SIMILAR_BRIEFS));
  const greatest = new Map<number, number>();
  for (const { agent, dot } of found) {
    if (kept.has(dot)) greatest.set(agent, Math.max(dot, greatest.get(agent) ?? 0));
  }
  return new Map([...greatest].sort(([a, x], [b, y]) => y - x || a - b));
}

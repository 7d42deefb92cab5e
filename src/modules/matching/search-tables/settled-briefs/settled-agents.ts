import type { ReadConnections } from '../../../../platform/database/reads/read-connections.js';
import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import { clusterOf } from '../../../reputation/pairs/evidence.sql.js';
import { PAYER_SQL, WORKER_SQL } from '../../../reputation/pairs/principals.js';
import { INDEPENDENT_FROM } from '../../../reputation/score/reputation-constants.js';
import { arrayText } from '../../relevance/pg-array.js';
import type { WeighedTerm } from '#libs/text-search';

/** Whose settled work is looked for. */
export interface SettledQuery {
  taskId: string;
  /** The task's brief as a vector. */
  brief: readonly WeighedTerm[];
  /** Whether only briefs of independent buyers count. */
  anchored: boolean;
}

/** Agents by what they have settled, the most similar first: number to product of weights. */
export type SettledAgents = ReadonlyMap<number, number>;

/**
 * At least half of what the settlement `s` was worth went to its agent (policy).
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export const WAS_PAID = 's.released * 2 >= s.amount AND s.released > 0';

/** The cluster is one of independent buyers. */
export const IS_INDEPENDENT = `independence >= ${INDEPENDENT_FROM}`;

/**
 * The settlement `s` shows that its agent can do the work: it was paid, by another cluster, with verified buyers ($4) by an
 * independent one.
 */
const COUNTS = `${WAS_PAID} AND ${clusterOf(PAYER_SQL)} <> ${clusterOf(WORKER_SQL)}
        AND (NOT $4::boolean OR EXISTS (SELECT FROM buyer_independence i
          WHERE i.cluster_id = ${clusterOf(PAYER_SQL)} AND i.${IS_INDEPENDENT}))`;

/**
 * Agents that settled one of the briefs $5, which are like that of the task $3, each with the greatest product of weights,
 * the greatest first, of equal ones the lowest number. Products are made of the words $1 and weights $2. All that an agent
 * has ever settled counts: the newest 20 alone lose half of the gain (`npm run eval:matching`).
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
const SETTLED_AGENTS: PreparedStatement = {
  name: 'match_settled_agents',
  text: `WITH alike AS MATERIALIZED (
      SELECT b.task_id, (
        SELECT coalesce(sum(p.weight * ($2::integer[])[array_position($1::integer[], p.term_id)]), 0)
        FROM match_brief_postings p WHERE p.brief_number = b.number AND p.term_id = ANY($1::integer[])) AS dot
      FROM match_briefs b WHERE b.number = ANY($5::integer[]) AND b.task_id <> $3
    )
    SELECT s.agent_number AS number, max(alike.dot) AS dot
    FROM alike JOIN settlements s ON s.task_id = alike.task_id
    WHERE alike.dot > 0 AND ${COUNTS}
    GROUP BY s.agent_number ORDER BY dot DESC, number`,
};

/** A row of `SETTLED_AGENTS`, as the text that Postgres sent. */
interface SettledAgentRow {
  number: string;
  dot: string;
}

/** Who settled these briefs, by their numbers. */
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

import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import { clusterOf } from '../../../reputation/clusters/clusters.sql-views.js';
import { PAYER_SQL, WORKER_SQL } from '../../../reputation/clusters/principals.js';
import { INDEPENDENT_FROM } from '../../../reputation/score/reputation-constants.js';

/**
 * SQL condition: at least half of the amount of settlement `s` went to its agent (policy).
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export const WAS_PAID = 's.released * 2 >= s.amount AND s.released > 0';

/** SQL condition: the cluster is independent. */
export const IS_INDEPENDENT = `independence >= ${INDEPENDENT_FROM}`;

/**
 * SQL condition: the settlement `s` shows that its agent can do the work. It was paid by another cluster and, when
 * there are verified buyers ($4), by an independent one.
 */
const COUNTS = `${WAS_PAID} AND ${clusterOf(PAYER_SQL)} <> ${clusterOf(WORKER_SQL)}
        AND (NOT $4::boolean OR EXISTS (SELECT FROM buyer_independence i
          WHERE i.cluster_id = ${clusterOf(PAYER_SQL)} AND i.${IS_INDEPENDENT}))`;

/**
 * Agents that settled one of the similar briefs $5, except the brief of task $3 itself, each with every
 * dot product of such a brief with the words $1 and weights $2, in no order. All settlements of an agent count:
 * the newest 20 alone lose half of the gain (`npm run eval:matching`).
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export const SETTLED_AGENTS: PreparedStatement = {
  name: 'match_settled_agents',
  text: `WITH alike AS MATERIALIZED (
      SELECT b.task_id, (
        SELECT coalesce(sum(p.weight * ($2::integer[])[array_position($1::integer[], p.term_id)]), 0)
        FROM match_brief_postings p WHERE p.brief_number = b.number AND p.term_id = ANY($1::integer[])) AS dot
      FROM match_briefs b WHERE b.number = ANY($5::integer[]) AND b.task_id <> $3
    )
    SELECT DISTINCT s.agent_number AS number, alike.dot
    FROM alike JOIN settlements s ON s.task_id = alike.task_id
    WHERE alike.dot > 0 AND ${COUNTS}`,
};

/** A row of `SETTLED_AGENTS`, as the text that Postgres sent. */
export interface SettledAgentRow {
  number: string;
  dot: string;
}

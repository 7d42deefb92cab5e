import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import { clusterOf } from '../../../reputation/clusters/clusters.sql-views.js';
import { PAYER_SQL, WORKER_SQL } from '../../../reputation/clusters/principals.js';
import { INDEPENDENT_FROM } from '../../../reputation/score/reputation-constants.js';
import { EQUAL_BRIEFS, SETTLED_BRIEFS_READ } from '../../relevance/matching-limits.js';

/**
 * SQL condition: at least half of the amount of settlement `s` went to its agent (policy).
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export const WAS_PAID = 's.released * 2 >= s.amount AND s.released > 0';

/** SQL condition: it is not known of a brief that it counts for nobody. */
export const MAY_COUNT = 'counts IS NOT FALSE';

/** SQL condition: the cluster is independent. */
export const IS_INDEPENDENT = `independence >= ${INDEPENDENT_FROM}`;

/**
 * SQL condition: the settlement `s` shows that its agent can do the work. It was paid by another cluster and, when
 * there are verified buyers (`anchored`), by an independent one.
 */
export const countsSql = (
  anchored: string,
): string => `${WAS_PAID} AND ${clusterOf(PAYER_SQL)} <> ${clusterOf(WORKER_SQL)}
        AND (NOT ${anchored} OR EXISTS (SELECT FROM buyer_independence i
          WHERE i.cluster_id = ${clusterOf(PAYER_SQL)} AND i.${IS_INDEPENDENT}))`;

/**
 * Agents that settled one of the similar briefs $5 or one with the same words, except the brief of task $3 itself, each
 * with every dot product of such a brief with the words $1 and weights $2, in no order. Of many equal briefs the newest are
 * read; otherwise all settlements of an agent count: the newest 20 alone lose half of the gain (`npm run eval:matching`).
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export const SETTLED_AGENTS: PreparedStatement = {
  name: 'match_settled_agents',
  text: `WITH alike AS MATERIALIZED (
      SELECT b.number, b.task_id, b.words_digest, (
        SELECT coalesce(sum(p.weight * ($2::integer[])[array_position($1::integer[], p.term_id)]), 0)
        FROM match_brief_postings p WHERE p.brief_number = b.number AND p.term_id = ANY($1::integer[])) AS dot
      FROM match_briefs b WHERE b.number = ANY($5::integer[])
    ), equal AS MATERIALIZED (
      SELECT same.task_id, alike.dot
      FROM (SELECT * FROM alike WHERE dot > 0 ORDER BY dot DESC, number) AS alike
      CROSS JOIN LATERAL (
        (SELECT b.task_id FROM match_briefs b WHERE b.words_digest = alike.words_digest AND ${MAY_COUNT}
          ORDER BY b.number DESC LIMIT ${EQUAL_BRIEFS})
        UNION ALL SELECT alike.task_id WHERE alike.words_digest IS NULL
      ) AS same
      WHERE same.task_id <> $3 LIMIT ${SETTLED_BRIEFS_READ}
    )
    SELECT DISTINCT s.agent_number AS number, equal.dot
    FROM equal CROSS JOIN LATERAL (SELECT * FROM settlements WHERE task_id = equal.task_id OFFSET 0) AS s
    WHERE ${countsSql('$4::boolean')}`,
};

/** A row of `SETTLED_AGENTS`, as the text that Postgres sent. */
export interface SettledAgentRow {
  number: string;
  dot: string;
}

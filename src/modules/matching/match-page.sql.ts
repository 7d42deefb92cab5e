import type { PreparedStatement } from '../../platform/database/transactions.js';
import { utcText } from '../../platform/database/utc-text.sql.js';
import { availableSql } from '../agents/agent.lifecycle.js';

/** Matched capabilities looked for per agent: more of them change nothing that is shown. */
const MAX_MATCHED = 3;

/**
 * Rows of a ranking with their agents and records as they are now, and where the agents have words of the task: $1 to $6
 * its columns (`RankingColumns`), $7 now, $8 a tsquery of any of the words.
 */
export const LIVE_MATCHES: PreparedStatement = {
  name: 'match_live_agents',
  text: `SELECT m.rank, m.score AS place_score, m.relevance, m.similarity, m.is_discovery::text AS is_discovery,
      a.id, a.name, a.status, to_json(a.capabilities) AS capabilities,
      (a.status = 'active' AND ${availableSql('a', '$7::timestamptz')})::text AS available,
      ${utcText('a.created_at')} AS created_at,
      (ts_filter(a.search, '{a}') @@ $8::tsquery)::text AS matches_name,
      array_to_json(ARRAY(
        SELECT capability FROM unnest(a.capabilities, a.capability_words) AS own (capability, words)
        WHERE words @@ $8::tsquery LIMIT ${MAX_MATCHED}
      )) AS matched_capabilities,
      r.score, r.recent_score, r.independence_confidence, r.settled_value, r.independent_value,
      r.independent_buyers, r.pending_buyers, r.settlements
    FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::real[], $6::boolean[])
      AS m (agent_number, rank, score, relevance, similarity, is_discovery)
    JOIN agents a ON a.number = m.agent_number
    LEFT JOIN reputation_records r ON r.agent_id = a.id
    ORDER BY m.rank`,
};

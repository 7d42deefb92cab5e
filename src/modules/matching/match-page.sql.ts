import { availableSql } from '../agents/agent.lifecycle.js';

/** Part of a frozen ranking: $1 snapshot, $2 task, $3 account, $4 now, $5 and $6 first and last place, from 0. */
export const SNAPSHOT_SLICE = {
  name: 'match_snapshot_slice',
  text: `SELECT jsonb_array_length(ranking) AS size,
      jsonb_path_query_array(ranking, '$[$first to $last]',
        jsonb_build_object('first', $5::integer, 'last', $6::integer)) AS slice
    FROM match_snapshots
    WHERE id = $1 AND task_id = $2 AND account_id = $3 AND expires_at > $4::timestamptz`,
} as const;

/** Rows of a ranking with their agents and records as they are now: $1 JSON array of `RankedAgent`, $2 now. */
export const LIVE_MATCHES = {
  name: 'match_live_agents',
  text: `SELECT m.rank, m.score, m.reason, a.id, a.name, a.status, to_json(a.capabilities) AS capabilities,
      (a.status = 'active' AND ${availableSql('a', '$2::timestamptz')})::text AS available,
      to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
      r.score AS reputation_score, r.independence_confidence, r.settled_value
    FROM jsonb_to_recordset($1::jsonb) AS m (agent_id text, rank integer, score numeric, reason text)
    JOIN agents a ON a.id = m.agent_id
    LEFT JOIN reputation_records r ON r.agent_id = a.id
    ORDER BY m.rank`,
} as const;

import { utcText } from '../../platform/time/utc-text.sql.js';

/** One agent's reputation and the counts behind it: $1 agent id. Gives no row when there is no such agent. */
export const AGENT_REPUTATION = {
  name: 'agent_reputation',
  text: `SELECT a.id AS agent_id, r.score, r.career_score, r.recent_score, r.independence_confidence, r.settled_value,
      r.independent_value, r.settlements, r.buyers, r.independent_buyers, r.pending_buyers,
      ${utcText('r.updated_at')} AS updated_at, ${utcText('greatest(run.as_of, r.updated_at)')} AS as_of,
      coalesce(run.anchors, 0) AS anchors,
      (SELECT coalesce(json_agg(json_build_object('outcome', key, 'count', value::integer) ORDER BY key COLLATE "C"), '[]')
        FROM jsonb_each_text(r.outcomes)) AS outcomes
    FROM agents a
    LEFT JOIN reputation_records r ON r.agent_id = a.id
    LEFT JOIN (SELECT as_of, anchors FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1) run ON true
    WHERE a.id = $1`,
} as const;

/** As the text that Postgres sent; the columns of the record are null for an agent without one. */
export interface AgentReputationRow {
  agent_id: string;
  score: string | null;
  career_score: string | null;
  recent_score: string | null;
  independence_confidence: string | null;
  settled_value: string | null;
  independent_value: string | null;
  settlements: string | null;
  buyers: string | null;
  independent_buyers: string | null;
  pending_buyers: string | null;
  updated_at: string | null;
  /** Null without a record and without a finished run. */
  as_of: string | null;
  anchors: string;
  /** JSON array of `OutcomeCountDto`. */
  outcomes: string;
}

import type { PreparedStatement } from '../../../../platform/database/transactions.js';

/** Records that the postings of agent $1 have changed at the time $2. */
export const NOTE_TEXTS: PreparedStatement = {
  name: 'match_changes_note_texts',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'texts', number, $2 FROM agents WHERE id = $1`,
};

/**
 * Records changed work: of the agents $1, of all agents with a quote for the tasks $2 (a reorganisation may have
 * removed their nodes), and of the tasks' briefs. $3 is the time.
 */
export const NOTE_TASKS: PreparedStatement = {
  name: 'match_changes_note_tasks',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, brief_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, kind, agent_number, brief_number, $3::timestamptz FROM (
      SELECT 'work' AS kind, number AS agent_number, NULL::integer AS brief_number FROM agents
        WHERE id IN (SELECT unnest($1::text[]) UNION SELECT agent_id FROM quotes WHERE task_id = ANY($2::text[]))
      UNION ALL SELECT 'brief', NULL, number FROM match_briefs WHERE task_id = ANY($2::text[])
    ) AS changed ORDER BY agent_number`,
};

/** Records a change that concerns all agents: $1 time, $2 `statistics` or `postings`. */
export const NOTE_ALL: PreparedStatement = {
  name: 'match_changes_note_all',
  text: `INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
    VALUES (pg_current_xact_id()::text::bigint, $2, NULL, $1)`,
};

/** Records that the briefs $1 have changed at the time $2. */
export const NOTE_BRIEFS: PreparedStatement = {
  name: 'match_changes_note_briefs',
  text: `INSERT INTO match_changes (transaction_id, kind, brief_number, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'brief', number, $2 FROM unnest($1::integer[]) AS number`,
};

/** The first transaction whose changes may not be in the rows of `match_agents` yet (agent-search-rows/). */
const NOT_APPLIED = `coalesce((SELECT pg_snapshot_xmin(applied::pg_snapshot)::text::bigint FROM match_agents_state),
  9223372036854775807)`;

/** SQL condition: the change is in the rows of `match_agents`, and was recorded by the time $1. */
export const IS_OVER = `created_at <= $1 AND transaction_id < ${NOT_APPLIED}`;

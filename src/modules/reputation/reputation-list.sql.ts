/** A position above every record: scores are at most 1, and the order is of their negatives. */
export const AFTER_ALL: readonly string[] = ['2', ''];

const COLUMNS = `agent_id, score, settled_value,
  to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at`;

/**
 * One page of reputation records by score, the best first, then by agent id: $1 and $2 score and agent id to start
 * below. The index holds the negative score, so that both columns run upwards and a page is one range of it, however
 * many agents share a score.
 */
export function reputationListStatement(rows: number): { name: string; text: string } {
  return {
    name: `reputation_${rows}`,
    text: `SELECT ${COLUMNS} FROM reputation_records WHERE (-score, agent_id) > (-$1::numeric, $2)
      ORDER BY -score, agent_id LIMIT ${rows}`,
  };
}

/** The record of one agent: $1 agent id. */
export const ONE_RECORD = {
  name: 'reputation_of_agent',
  text: `SELECT ${COLUMNS} FROM reputation_records WHERE agent_id = $1`,
} as const;

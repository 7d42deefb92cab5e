import { type RenderedPageRow, renderedPage } from '../../platform/pagination/rendered-page.sql.js';

/** A position above every record: scores are at most 1, and the order is of their negatives. */
export const AFTER_ALL: readonly string[] = ['2', ''];

/** Where a record stands in the list. */
export const SCORE_POSITION = { score: 'text', agent_id: 'text' } as const;

/** A rendered page of records. */
export type ReputationPageRow = RenderedPageRow<keyof typeof SCORE_POSITION>;

const COLUMNS = 'agent_id, score, document';
const ORDER = '-score, agent_id';

/**
 * One page of reputation records by score, the best first, then by agent id: $1 and $2 score and agent id to start
 * below. The index holds the negative score, so that both columns run upwards and a page is one range of it, however
 * many agents share a score.
 */
export function reputationListStatement(limit: number): { name: string; text: string } {
  const rows = `SELECT ${COLUMNS} FROM reputation_records WHERE (-score, agent_id) > (-$1::numeric, $2)
      ORDER BY ${ORDER} LIMIT ${limit + 1}`;
  return { name: `reputation_${limit}`, text: renderedPage(rows, limit, ORDER, SCORE_POSITION) };
}

/** The record of one agent: $1 agent id. */
export const ONE_RECORD = {
  name: 'reputation_of_agent',
  text: renderedPage(`SELECT ${COLUMNS} FROM reputation_records WHERE agent_id = $1`, 1, ORDER, SCORE_POSITION),
} as const;

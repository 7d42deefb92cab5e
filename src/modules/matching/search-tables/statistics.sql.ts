import type { PreparedStatement } from '../../../platform/database/transactions.js';

const COLUMNS = `agents, name_length, rest_length, rewritten_to, briefs, brief_texts, brief_version,
  (extract(epoch FROM counted_at) * 1000)::float8 AS counted_ms`;

/** The row as `runPrepared` gives it. */
export interface StatisticsRow {
  agents: number;
  name_length: number;
  rest_length: number;
  rewritten_to: number | null;
  briefs: number;
  brief_texts: number;
  brief_version: number;
  /** Milliseconds since 1970. */
  counted_ms: number | null;
}

export const READ: PreparedStatement = {
  name: 'match_statistics_read',
  text: `SELECT ${COLUMNS} FROM match_statistics`,
};

/** Reads the row, and lets nobody change the averages until the end of the transaction. */
export const HOLD: PreparedStatement = {
  name: 'match_statistics_hold',
  text: `SELECT ${COLUMNS} FROM match_statistics FOR SHARE`,
};

/** Reads the row, and lets nobody write postings until the end of the transaction. */
export const LOCK: PreparedStatement = {
  name: 'match_statistics_lock',
  text: `SELECT ${COLUMNS} FROM match_statistics FOR UPDATE`,
};

/** Counts the agents and measures the average lengths of their texts as they are now, and counts the briefs with words. */
export const MEASURE: PreparedStatement = {
  name: 'match_statistics_measure',
  text: `SELECT count(*)::integer AS agents, coalesce(avg(name), 0)::float8 AS name_length,
    coalesce(avg(rest), 0)::float8 AS rest_length,
    (SELECT count(*)::integer FROM match_briefs WHERE version >= 0) AS briefs FROM match_lengths`,
};

export const WRITE: PreparedStatement = {
  name: 'match_statistics_write',
  text: `UPDATE match_statistics SET agents = $1, name_length = $2, rest_length = $3, rewritten_to = $4, briefs = $5,
    brief_texts = $6, brief_version = $7`,
};

export const WRITE_PROGRESS: PreparedStatement = {
  name: 'match_statistics_progress',
  text: 'UPDATE match_statistics SET rewritten_to = $1',
};

export const WRITE_COUNTED: PreparedStatement = {
  name: 'match_statistics_counted',
  text: 'UPDATE match_statistics SET counted_at = $1',
};

/** Counts the agents and the briefs that have the words $1, word by word. */
export const COUNT_TERMS: PreparedStatement = {
  name: 'match_terms_count',
  text: `UPDATE match_terms SET df = (SELECT count(*) FROM match_postings p WHERE p.term_id = match_terms.term_id),
      brief_df = (SELECT count(*) FROM match_brief_postings p WHERE p.term_id = match_terms.term_id)
    WHERE term_id = ANY($1::integer[])`,
};

/** Counts the agents and the briefs that have the words numbered $1 to $2, and writes the counts that have changed. */
export const COUNT_RANGE: PreparedStatement = {
  name: 'match_terms_count_range',
  text: `UPDATE match_terms SET df = counted.df, brief_df = counted.brief_df
    FROM (
      SELECT t.term_id, (SELECT count(*) FROM match_postings p WHERE p.term_id = t.term_id)::integer AS df,
        (SELECT count(*) FROM match_brief_postings p WHERE p.term_id = t.term_id)::integer AS brief_df
      FROM match_terms t WHERE t.term_id BETWEEN $1 AND $2
    ) AS counted
    WHERE match_terms.term_id = counted.term_id
      AND (match_terms.df, match_terms.brief_df) <> (counted.df, counted.brief_df)`,
};

export const LAST_TERM: PreparedStatement = {
  name: 'match_terms_last',
  text: 'SELECT coalesce(max(term_id), 0) AS last FROM match_terms',
};

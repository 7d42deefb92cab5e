import type { PreparedStatement } from '../../../../platform/database/transactions.js';

const LOCK = "hashtextextended('match-terms', 0)";

/**
 * A writer of postings holds this shared lock until its transaction ends, so that no word is deleted after its number
 * was read and before its posting is written.
 */
export const HOLD_TERMS: PreparedStatement = {
  name: 'match_terms_hold',
  text: `SELECT pg_advisory_xact_lock_shared(${LOCK})`,
};

/** Takes the lock exclusively; gives false while any transaction writes postings. */
export const TRY_TO_DELETE_TERMS = `SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_ours`;

/** Most words that one run of `DELETE_UNUSED` deletes. */
export const UNUSED_BATCH = 2_000;

/** Deletes words that no agent and no brief has, at most UNUSED_BATCH. */
export const DELETE_UNUSED = `DELETE FROM match_terms WHERE term_id IN (
  SELECT term_id FROM match_terms term WHERE df = 0 AND brief_df = 0
    AND NOT EXISTS (SELECT 1 FROM match_postings p WHERE p.term_id = term.term_id)
    AND NOT EXISTS (SELECT 1 FROM match_brief_postings p WHERE p.term_id = term.term_id)
  LIMIT ${UNUSED_BATCH})`;

/** The numbers of those of the words $1 that are known. */
export const KNOWN_TERMS: PreparedStatement = {
  name: 'match_terms_known',
  text: 'SELECT word, term_id FROM match_terms WHERE word = ANY($1::text[])',
};

/** Adds the words $1 in sorted order, so that two writers of the same new words cannot deadlock. */
export const ADD_TERMS: PreparedStatement = {
  name: 'match_terms_add',
  text: `INSERT INTO match_terms (word) SELECT word FROM unnest($1::text[]) AS word ORDER BY word COLLATE "C"
    ON CONFLICT (word) DO NOTHING RETURNING word, term_id`,
};

/** A row of `KNOWN_TERMS` and `ADD_TERMS`. */
export interface TermRow {
  word: string;
  term_id: number;
}

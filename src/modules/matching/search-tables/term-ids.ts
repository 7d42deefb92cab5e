import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared } from '../../../platform/database/transactions.js';

const LOCK = "hashtextextended('match-terms', 0)";

/**
 * A writer of postings holds this shared lock until its transaction ends, so that no word is deleted after its number
 * was read and before its posting is written.
 */
const HOLD: PreparedStatement = {
  name: 'match_terms_hold',
  text: `SELECT pg_advisory_xact_lock_shared(${LOCK})`,
};

/** Takes the lock exclusively; gives false while any transaction writes postings. */
export const TRY_TO_DELETE_TERMS = `SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_ours`;

export const UNUSED_BATCH = 2_000;
export const DELETE_UNUSED = `DELETE FROM match_terms WHERE term_id IN (
  SELECT term_id FROM match_terms term WHERE df = 0 AND brief_df = 0
    AND NOT EXISTS (SELECT 1 FROM match_postings p WHERE p.term_id = term.term_id)
    AND NOT EXISTS (SELECT 1 FROM match_brief_postings p WHERE p.term_id = term.term_id)
  LIMIT ${UNUSED_BATCH})`;

const KNOWN: PreparedStatement = {
  name: 'match_terms_known',
  text: 'SELECT word, term_id FROM match_terms WHERE word = ANY($1::text[])',
};

/** Adds words in sorted order, so that two writers of the same new words cannot deadlock. */
const ADD: PreparedStatement = {
  name: 'match_terms_add',
  text: `INSERT INTO match_terms (word) SELECT word FROM unnest($1::text[]) AS word ORDER BY word COLLATE "C"
    ON CONFLICT (word) DO NOTHING RETURNING word, term_id`,
};

interface TermRow {
  word: string;
  term_id: number;
}

/** Returns the numbers of these words and adds new words. Call it in the transaction that writes their postings. */
export async function termIdsOf(manager: EntityManager, words: Iterable<string>): Promise<Map<string, number>> {
  const wanted = [...new Set(words)];
  const ids = new Map<string, number>();
  const learn = (rows: readonly TermRow[]): void => rows.forEach(({ word, term_id }) => ids.set(word, term_id));
  const missing = (): string[] => wanted.filter((word) => !ids.has(word));
  await runPrepared(manager, HOLD, []);
  learn(await runPrepared<TermRow>(manager, KNOWN, [wanted]));
  if (missing().length > 0) learn(await runPrepared<TermRow>(manager, ADD, [missing()]));
  // A word that is still missing was added by another transaction in the meantime.
  if (missing().length > 0) learn(await runPrepared<TermRow>(manager, KNOWN, [missing()]));
  return ids;
}

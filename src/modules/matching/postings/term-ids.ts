import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared } from '../../../platform/database/transactions.js';

const KNOWN: PreparedStatement = {
  name: 'match_terms_known',
  text: 'SELECT word, term_id FROM match_terms WHERE word = ANY($1::text[])',
};

/** In order, so that two writers of the same new words never wait for each other in a circle. */
const ADD: PreparedStatement = {
  name: 'match_terms_add',
  text: `INSERT INTO match_terms (word) SELECT word FROM unnest($1::text[]) AS word ORDER BY word COLLATE "C"
    ON CONFLICT (word) DO NOTHING RETURNING word, term_id`,
};

interface TermRow {
  word: string;
  term_id: number;
}

/** The numbers of these words; those that nobody had before are added. */
export async function termIdsOf(manager: EntityManager, words: Iterable<string>): Promise<Map<string, number>> {
  const wanted = [...new Set(words)];
  const ids = new Map<string, number>();
  const learn = (rows: readonly TermRow[]): void => rows.forEach(({ word, term_id }) => ids.set(word, term_id));
  const missing = (): string[] => wanted.filter((word) => !ids.has(word));
  learn(await runPrepared<TermRow>(manager, KNOWN, [wanted]));
  if (missing().length > 0) learn(await runPrepared<TermRow>(manager, ADD, [missing()]));
  // What is missing now, another transaction has added in the meantime.
  if (missing().length > 0) learn(await runPrepared<TermRow>(manager, KNOWN, [missing()]));
  return ids;
}

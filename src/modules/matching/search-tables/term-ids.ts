import type { EntityManager } from 'typeorm';
import { runPrepared } from '../../../platform/database/transactions.js';
import { ADD_TERMS, HOLD_TERMS, KNOWN_TERMS, type TermRow } from './statements/match-terms.sql.js';

/** Returns the numbers of these words and adds new words. Call it in the transaction that writes their postings. */
export async function termIdsOf(manager: EntityManager, words: Iterable<string>): Promise<Map<string, number>> {
  const wanted = [...new Set(words)];
  const ids = new Map<string, number>();
  const learn = (rows: readonly TermRow[]): void => rows.forEach(({ word, term_id }) => ids.set(word, term_id));
  const missing = (): string[] => wanted.filter((word) => !ids.has(word));
  await runPrepared(manager, HOLD_TERMS, []);
  learn(await runPrepared<TermRow>(manager, KNOWN_TERMS, [wanted]));
  if (missing().length > 0) learn(await runPrepared<TermRow>(manager, ADD_TERMS, [missing()]));
  // A word that is still missing was added by another transaction in the meantime.
  if (missing().length > 0) learn(await runPrepared<TermRow>(manager, KNOWN_TERMS, [missing()]));
  return ids;
}

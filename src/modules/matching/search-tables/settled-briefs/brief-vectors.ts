import type { EntityManager } from 'typeorm';
import { listsOf } from '../../../../platform/database/prepared-lists.js';
import { type PreparedStatement, runPrepared } from '../../../../platform/database/transactions.js';
import { termIdsOf } from '../term-ids.js';
import {
  type TaskTexts,
  type TaskWordRow,
  taskWordsOf,
  taskWordsValues,
  WORDS_OF_MANY,
} from '../../relevance/task-words.js';

const TEXTS: PreparedStatement = {
  name: 'match_briefs_texts',
  text: 'SELECT id, title, brief, criteria FROM tasks WHERE id = ANY($1::text[])',
};

const CLEAR: PreparedStatement = {
  name: 'match_briefs_clear',
  text: 'DELETE FROM match_brief_postings WHERE brief_number = ANY($1::integer[]) RETURNING term_id',
};

const WRITE: PreparedStatement = {
  name: 'match_briefs_write',
  text: `INSERT INTO match_brief_postings (brief_number, term_id, weight)
    SELECT * FROM unnest(${listsOf('integer', 'integer', 'smallint')})`,
};

const MARK: PreparedStatement = {
  name: 'match_briefs_mark',
  text: `UPDATE match_briefs SET version = (SELECT brief_version FROM match_statistics)
    WHERE number = ANY($1::integer[])`,
};

/** A stored brief: its task, and its number in the postings. */
export interface BriefRow {
  task_id: string;
  number: number;
}

interface TextsRow extends TaskTexts {
  id: string;
}

interface BriefWordRow extends TaskWordRow {
  number: number;
}

/** Deletes the postings of briefs. @returns numbers of the words that they had. */
export async function clearBriefs(manager: EntityManager, briefs: readonly BriefRow[]): Promise<number[]> {
  const gone = await runPrepared<{ term_id: number }>(manager, CLEAR, [briefs.map(({ number }) => number)]);
  return gone.map(({ term_id }) => term_id);
}

/**
 * Rewrites the postings of briefs with weights by the present statistics, with the same number of statements for one
 * brief as for many. @returns numbers of all their words.
 */
export async function weighBriefs(manager: EntityManager, briefs: readonly BriefRow[]): Promise<number[]> {
  if (briefs.length === 0) return [];
  const found = await runPrepared<TextsRow>(manager, TEXTS, [briefs.map(({ task_id: taskId }) => taskId)]);
  const texts = new Map(found.map((row) => [row.id, taskWordsValues(row)]));
  await clearBriefs(manager, briefs);
  const known = briefs.flatMap(({ task_id: taskId, number }) => {
    const own = texts.get(taskId);
    return own ? [{ number, title: own[0], rest: own[1] }] : [];
  });
  const rows = await runPrepared<BriefWordRow>(manager, WORDS_OF_MANY, [
    known.map(({ number }) => number),
    known.map(({ title }) => title),
    known.map(({ rest }) => rest),
  ]);
  const ids = await termIdsOf(
    manager,
    rows.map(({ word }) => word),
  );
  const postings = [...byBrief(rows)].flatMap(([number, own]) => {
    const { vector } = taskWordsOf(own);
    return own.map(({ word }) => ({ number, termId: ids.get(word), weight: vector.get(word) ?? 0 }));
  });
  await runPrepared(manager, WRITE, [
    postings.map(({ number }) => number),
    postings.map(({ termId }) => termId),
    postings.map(({ weight }) => weight),
  ]);
  await runPrepared(manager, MARK, [briefs.map(({ number }) => number)]);
  return [...ids.values()];
}

function byBrief(rows: readonly BriefWordRow[]): Map<number, BriefWordRow[]> {
  const briefs = new Map<number, BriefWordRow[]>();
  for (const row of rows) {
    const own = briefs.get(row.number);
    if (own) own.push(row);
    else briefs.set(row.number, [row]);
  }
  return briefs;
}

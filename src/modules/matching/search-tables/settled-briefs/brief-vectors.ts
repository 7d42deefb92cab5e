import type { EntityManager } from 'typeorm';
import { runPrepared } from '../../../../platform/database/transactions.js';
import { taskWordsOf, taskWordsValues } from '../../relevance/task-words.js';
import { termIdsOf } from '../term-ids.js';
import {
  type BriefRow,
  type BriefWordRow,
  CLEAR_BRIEFS,
  MARK_WEIGHED,
  TEXTS_OF_TASKS,
  type TextsRow,
  WORDS_OF_MANY,
  WRITE_BRIEFS,
} from './settled-briefs.sql.js';
import { chooseSearched, digestOf } from './searched-briefs.js';
import type { DigestRow } from './searched-briefs.sql.js';

/** Deletes the postings of briefs. @returns numbers of the words that they had. */
export async function clearBriefs(manager: EntityManager, briefs: readonly BriefRow[]): Promise<number[]> {
  const gone = await runPrepared<{ term_id: number }>(manager, CLEAR_BRIEFS, [briefs.map(({ number }) => number)]);
  return gone.map(({ term_id }) => term_id);
}

/**
 * Rewrites the postings of briefs with weights by the present statistics, with the same number of statements for one
 * brief as for many. @returns numbers of all their words.
 */
export async function weighBriefs(manager: EntityManager, briefs: readonly BriefRow[]): Promise<number[]> {
  if (briefs.length === 0) return [];
  const found = await runPrepared<TextsRow>(manager, TEXTS_OF_TASKS, [briefs.map(({ task_id: taskId }) => taskId)]);
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
  const byNumber = byBrief(rows);
  const postings = [...byNumber].flatMap(([number, own]) => {
    const { vector } = taskWordsOf(own);
    return own.map(({ word }) => ({ number, termId: ids.get(word), weight: vector.get(word) ?? 0 }));
  });
  const digests = briefs.map(({ number }) => digestOf(byNumber.get(number) ?? []));
  const words = await runPrepared<DigestRow>(manager, MARK_WEIGHED, [briefs.map(({ number }) => number), digests]);
  await chooseSearched(manager, words);
  await runPrepared(manager, WRITE_BRIEFS, [
    postings.map(({ number }) => number),
    postings.map(({ termId }) => termId),
    postings.map(({ weight }) => weight),
  ]);
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

import type pg from 'pg';
import { taskWordsOf, taskWordsValues } from '../../../modules/matching/relevance/task-words.js';
import { TASK_WORDS, type TaskWordRow } from '../../../modules/matching/relevance/task-words.sql.js';
import { RELEVANCE } from './match-market.sql.js';

/** A task whose matches are asked for. */
export interface MatchTask {
  id: string;
  title: string;
  brief: string;
}

/** What a limited search loses of an exact one, over the first ten of each task. */
export async function losses(
  client: pg.Client,
  tasks: readonly MatchTask[],
  limited: readonly string[][],
  exact: readonly string[][],
): Promise<{ overlap: number; ratio: number }> {
  const overlaps: number[] = [];
  const ratios: number[] = [];
  for (const [index, task] of tasks.entries()) {
    const [ours = [], best = []] = [limited[index], exact[index]];
    if (best.length === 0) continue;
    overlaps.push(ours.filter((id) => best.includes(id)).length / best.length);
    const values = taskWordsValues({ ...task, criteria: [] });
    const { terms } = taskWordsOf((await client.query<TaskWordRow>(TASK_WORDS.text, values)).rows);
    const relevanceOf = async (ids: string[]): Promise<number> => {
      const words = [terms.map(({ termId }) => termId), terms.map(({ idf }) => idf)];
      const { rows } = await client.query<{ relevance: number }>(RELEVANCE, [ids, ...words]);
      return rows[0]?.relevance ?? 0;
    };
    const reached = await relevanceOf(best);
    if (reached > 0) ratios.push((await relevanceOf(ours)) / reached);
  }
  return { overlap: mean(overlaps), ratio: mean(ratios) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

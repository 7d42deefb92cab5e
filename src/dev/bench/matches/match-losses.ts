import type pg from 'pg';
import { taskWordsOf, taskWordsValues } from '../../../modules/matching/relevance/task-words.js';
import { TASK_WORDS, type TaskWordRow } from '../../../modules/matching/relevance/task-words.sql.js';

/** A task whose matches are asked for. */
export interface MatchTask {
  id: string;
  title: string;
  brief: string;
}

/** Relevance of the agents $1 to the words $2 whose idf values are $3. */
const RELEVANCE = `SELECT coalesce(sum(p.impact * w.idf), 0)::float8 AS relevance
  FROM agents a JOIN match_postings p ON p.agent_number = a.number
  JOIN unnest($2::integer[], $3::integer[]) AS w (term_id, idf) ON w.term_id = p.term_id
  WHERE a.id = ANY($1::text[])`;

/** How much a limited search loses against an exact one, over the first ten agents of each task. */
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

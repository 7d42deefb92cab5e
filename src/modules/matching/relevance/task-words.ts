import type { WeighedTerm } from '#libs/text-search';
import { searchableText } from '../../agents/agent/searchable-text.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { idfOf } from './impact.js';
import { queryLexemes } from './lexemes.js';
import { briefIdfOf, type BriefVector, briefVector } from './similar-briefs.js';
import type { TaskWordRow } from './task-words.sql.js';

/** The texts of a task that agents and other tasks are compared with. */
export type TaskTexts = Pick<TaskEntity, 'title' | 'brief' | 'criteria'>;

/** A word of a task that is also in an agent's texts or a settled brief. */
export interface TaskTerm {
  termId: number;
  /** Number of agents that have the word. */
  df: number;
  /** `idfOf` */
  idf: number;
}

/** The words of a task, prepared for matching. */
export interface TaskWords {
  /** Words by which the task is matched, those of the title first. */
  lexemes: readonly string[];
  /** Those of them that an agent or a settled brief has. */
  terms: readonly TaskTerm[];
  /** The brief as a vector, reduced to words that an agent or another brief has. */
  brief: readonly WeighedTerm[];
  /** The whole vector. */
  vector: BriefVector;
}

/** The parameters of `TASK_WORDS` for a task. */
export function taskWordsValues({ title, brief, criteria }: TaskTexts): [title: string, rest: string] {
  return [searchableText(title ?? ''), searchableText([brief, ...criteria].join('\n'))];
}

/** Computes the words of a task from the rows of `TASK_WORDS`. */
export function taskWordsOf(rows: readonly TaskWordRow[]): TaskWords {
  const words = new Map(rows.map((row) => [row.word, numbersOf(row)]));
  const counted = (field: 'ofTitle' | 'ofRest'): Map<string, number> =>
    new Map([...words].flatMap(([word, found]) => (found[field] > 0 ? [[word, found[field]]] : [])));
  const lexemes = queryLexemes(counted('ofTitle'), counted('ofRest'));
  const both = new Map([...words].map(([word, { ofTitle, ofRest }]) => [word, ofTitle + ofRest]));
  const vector = briefVector(both, (word) => words.get(word)?.briefIdf ?? 1);
  return {
    lexemes,
    terms: lexemes.flatMap((word) => {
      const { termId = null, df = 0, idf = 0 } = words.get(word) ?? {};
      return termId === null ? [] : [{ termId, df, idf }];
    }),
    brief: [...vector].flatMap(([word, weight]) => {
      const termId = words.get(word)?.termId ?? null;
      return termId === null ? [] : [{ termId, weight }];
    }),
    vector,
  };
}

function numbersOf({ of_title, of_rest, term_id, df, brief_df, agents, briefs }: TaskWordRow) {
  return {
    ofTitle: Number(of_title),
    ofRest: Number(of_rest),
    termId: term_id === null ? null : Number(term_id),
    df: Number(df),
    idf: idfOf(Number(df), Number(agents)),
    briefIdf: briefIdfOf(
      { agents: Number(df), briefs: Number(brief_df) },
      { agents: Number(agents), briefs: Number(briefs) },
    ),
  };
}

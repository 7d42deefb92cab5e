import type { WeighedTerm } from '#libs/text-search';
import { listsOf } from '../../../platform/database/prepared-lists.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { searchableText } from '../../agents/agent/agent-text.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { idfOf } from './impact.js';
import { queryLexemes } from './lexemes.js';
import { briefIdfOf, type BriefVector, briefVector } from './similar-briefs.js';

/** The texts of a task that agents and other tasks are compared with. */
export type TaskTexts = Pick<TaskEntity, 'title' | 'brief' | 'criteria'>;

/** SQL for the words of a title and of the other texts, with their counts. */
const wordsIn = (title: string, rest: string): string => `
      SELECT lexeme, cardinality(positions) AS of_title, 0 AS of_rest FROM unnest(to_tsvector('english', ${title}))
      UNION ALL
      SELECT lexeme, 0, cardinality(positions) FROM unnest(to_tsvector('english', ${rest}))`;

const COLUMNS = `lexeme AS word, sum(of_title)::integer AS of_title, sum(of_rest)::integer AS of_rest,
      t.term_id, coalesce(t.df, 0) AS df, coalesce(t.brief_df, 0) AS brief_df,
      (SELECT agents FROM match_statistics) AS agents, (SELECT briefs FROM match_statistics) AS briefs`;

/** Every word of a task with its frequencies: $1 the title, $2 brief and criteria, both as `searchableText`. */
export const TASK_WORDS: PreparedStatement = {
  name: 'match_task_words',
  text: `SELECT ${COLUMNS}
    FROM (${wordsIn('$1', '$2')}
    ) AS words
    LEFT JOIN match_terms t ON t.word = lexeme
    GROUP BY lexeme, t.term_id, t.df, t.brief_df`,
};

/** As `TASK_WORDS`, of many tasks: $1 their numbers, $2 the titles, $3 the rest of each. */
export const WORDS_OF_MANY: PreparedStatement = {
  name: 'match_words_of_many',
  text: `SELECT words.number, ${COLUMNS}
    FROM (
      SELECT number, lexeme, of_title, of_rest FROM unnest(${listsOf('integer', 'text', 'text')}) AS task (number, title, rest)
      CROSS JOIN LATERAL (${wordsIn('title', 'rest')}
      ) AS words
    ) AS words
    LEFT JOIN match_terms t ON t.word = lexeme
    GROUP BY words.number, lexeme, t.term_id, t.df, t.brief_df`,
};

/** A row of `TASK_WORDS`, as text or as numbers. */
export interface TaskWordRow {
  word: string;
  of_title: string | number;
  of_rest: string | number;
  term_id: string | number | null;
  df: string | number;
  brief_df: string | number;
  agents: string | number;
  briefs: string | number;
}

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

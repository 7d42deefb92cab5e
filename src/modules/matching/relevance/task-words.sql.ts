import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { TEXT_SEARCH_LANGUAGE } from '../../agents/agent/searchable-text.js';

/** SQL for the words of a title and of the other texts, with their counts. */
export const wordsIn = (title: string, rest: string): string => `
      SELECT lexeme, cardinality(positions) AS of_title, 0 AS of_rest
      FROM unnest(to_tsvector('${TEXT_SEARCH_LANGUAGE}', ${title}))
      UNION ALL
      SELECT lexeme, 0, cardinality(positions) FROM unnest(to_tsvector('${TEXT_SEARCH_LANGUAGE}', ${rest}))`;

/** Columns of `TaskWordRow`, of the word `lexeme` joined with its row `t` of `match_terms`. */
export const WORD_COLUMNS = `lexeme AS word, sum(of_title)::integer AS of_title, sum(of_rest)::integer AS of_rest,
      t.term_id, coalesce(t.df, 0) AS df, coalesce(t.brief_df, 0) AS brief_df,
      (SELECT agents FROM match_statistics) AS agents, (SELECT briefs FROM match_statistics) AS briefs`;

/** Every word of a task with its frequencies: $1 the title, $2 brief and criteria, both as `searchableText`. */
export const TASK_WORDS: PreparedStatement = {
  name: 'match_task_words',
  text: `SELECT ${WORD_COLUMNS}
    FROM (${wordsIn('$1', '$2')}
    ) AS words
    LEFT JOIN match_terms t ON t.word = lexeme
    GROUP BY lexeme, t.term_id, t.df, t.brief_df`,
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

import { INDEX_CATCHES_UP } from '../../../../platform/chain/indexed-time.sql.js';
import { listsOf } from '../../../../platform/database/prepared-lists.js';
import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import type { TaskTexts } from '../../relevance/task-words.js';
import { type TaskWordRow, WORD_COLUMNS, wordsIn } from '../../relevance/task-words.sql.js';

/** A stored brief: its task, and its number in the postings. */
export interface BriefRow {
  task_id: string;
  number: number;
  /** Of a deleted brief: what its words were, as in `DigestRow`. */
  digest?: string | null;
}

/** A row of `KEPT_BRIEFS`. */
export interface KeptBriefRow {
  task_id: string;
  /** Null while nobody has looked. */
  counts: boolean | null;
}

/** A row of `TEXTS_OF_TASKS`. */
export interface TextsRow extends TaskTexts {
  id: string;
}

/** A row of `WORDS_OF_MANY`. */
export interface BriefWordRow extends TaskWordRow {
  number: number;
}

/** Which of the tasks $1 have a stored brief, and whether it was found to count for somebody. */
export const KEPT_BRIEFS: PreparedStatement = {
  name: 'match_briefs_kept',
  text: 'SELECT task_id, counts FROM match_briefs WHERE task_id = ANY($1::text[])',
};

/** Deletes the brief of task $1. */
export const FORGET_BRIEF: PreparedStatement = {
  name: 'match_briefs_forget',
  text: `DELETE FROM match_briefs WHERE task_id = $1 RETURNING task_id, number, encode(words_digest, 'hex') AS digest`,
};

/** Adds the brief of task $1; gives no row when it is stored already. */
export const ADD_BRIEF: PreparedStatement = {
  name: 'match_briefs_add',
  text: `INSERT INTO match_briefs (task_id) VALUES ($1) ON CONFLICT (task_id) DO NOTHING RETURNING task_id, number`,
};

/** Adds the briefs of the tasks $1 without words; they get their words when they are weighed. */
export const ADD_UNWEIGHED: PreparedStatement = {
  name: 'match_briefs_add_unweighed',
  text: `INSERT INTO match_briefs (task_id) SELECT unnest($1::text[]) ON CONFLICT (task_id) DO NOTHING
    RETURNING task_id, number`,
};

/** Gives a row while the index catches up. */
export const CATCHES_UP: PreparedStatement = {
  name: 'match_briefs_index_catches_up',
  text: `SELECT 1 AS found WHERE ${INDEX_CATCHES_UP}`,
};

/** Gives a row while some briefs have no words yet. */
export const ANY_UNWEIGHED: PreparedStatement = {
  name: 'match_briefs_any_unweighed',
  text: 'SELECT 1 AS found FROM match_briefs WHERE version = -1 LIMIT 1',
};

/** At most $1 briefs whose weights were computed with older statistics. */
export const STALE_BRIEFS: PreparedStatement = {
  name: 'match_briefs_stale',
  text: `SELECT task_id, number FROM match_briefs
    WHERE version < (SELECT brief_version FROM match_statistics)
    ORDER BY version, number LIMIT $1 FOR UPDATE SKIP LOCKED`,
};

/** The texts of the tasks $1. */
export const TEXTS_OF_TASKS: PreparedStatement = {
  name: 'match_briefs_texts',
  text: 'SELECT id, title, brief, criteria FROM tasks WHERE id = ANY($1::text[])',
};

/** Deletes the postings of the briefs $1. Gives the numbers of the words that they had. */
export const CLEAR_BRIEFS: PreparedStatement = {
  name: 'match_briefs_clear',
  text: 'DELETE FROM match_brief_postings WHERE brief_number = ANY($1::integer[]) RETURNING term_id',
};

/** Writes postings of briefs: $1 the numbers of the briefs, $2 those of their words, $3 the weights. */
export const WRITE_BRIEFS: PreparedStatement = {
  name: 'match_briefs_write',
  text: `INSERT INTO match_brief_postings (brief_number, term_id, weight, is_searched)
    SELECT posting.*, b.is_searched FROM unnest(${listsOf('integer', 'integer', 'smallint')})
      AS posting (brief_number, term_id, weight) JOIN match_briefs b ON b.number = posting.brief_number`,
};

/**
 * Marks the briefs $1 as weighed by the present statistics, and stores the digests $2 (in hex) of their words. Gives the
 * words that they have and had. A brief with other words than before is not searched until it is chosen for these.
 */
export const MARK_WEIGHED: PreparedStatement = {
  name: 'match_briefs_mark',
  text: `WITH weighed AS (
      UPDATE match_briefs b SET version = (SELECT brief_version FROM match_statistics), words_digest = decode(known.digest, 'hex'),
        is_searched = b.is_searched AND coalesce(b.words_digest = decode(known.digest, 'hex'), false)
      FROM (SELECT given.*, had.words_digest AS had FROM unnest(${listsOf('integer', 'text')}) AS given (number, digest)
        JOIN match_briefs had ON had.number = given.number) AS known
      WHERE b.number = known.number
      RETURNING known.digest, encode(known.had, 'hex') AS had
    )
    SELECT digest FROM weighed UNION SELECT had FROM weighed`,
};

/** As `TASK_WORDS`, of many tasks: $1 their numbers, $2 the titles, $3 the rest of each. */
export const WORDS_OF_MANY: PreparedStatement = {
  name: 'match_words_of_many',
  text: `SELECT words.number, ${WORD_COLUMNS}
    FROM (
      SELECT number, lexeme, of_title, of_rest FROM unnest(${listsOf('integer', 'text', 'text')}) AS task (number, title, rest)
      CROSS JOIN LATERAL (${wordsIn('title', 'rest')}
      ) AS words
    ) AS words
    LEFT JOIN match_terms t ON t.word = lexeme
    GROUP BY words.number, lexeme, t.term_id, t.df, t.brief_df`,
};

import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import { countsSql, MAY_COUNT } from './settled-agents.sql.js';

/** Briefs that are looked at in one step. */
export const JUDGED_AT_ONCE = 1_000;

/**
 * Of the briefs with the words $1 (digests, in hex), makes the oldest that may count the one that is searched. All of them
 * are found by it.
 */
export const CHOOSE_SEARCHED: PreparedStatement = {
  name: 'match_briefs_choose_searched',
  text: `WITH chosen AS MATERIALIZED (
      SELECT words_digest, (SELECT number FROM match_briefs b
        WHERE b.words_digest = words.words_digest AND ${MAY_COUNT} ORDER BY number LIMIT 1) AS number
      FROM (SELECT DISTINCT decode(digest, 'hex') AS words_digest FROM unnest($1::text[]) AS digest) AS words
    ), known AS MATERIALIZED (
      SELECT b.number, chosen.number AS chosen FROM chosen
      JOIN match_briefs b ON b.words_digest = chosen.words_digest AND b.is_searched
    ), changed AS (
      UPDATE match_briefs b SET is_searched = NOT b.is_searched WHERE number = ANY(ARRAY(
        SELECT number FROM known WHERE number IS DISTINCT FROM chosen
        UNION ALL SELECT number FROM chosen WHERE number NOT IN (SELECT number FROM known)))
      RETURNING number, is_searched
    )
    UPDATE match_brief_postings p SET is_searched = changed.is_searched
    FROM changed WHERE p.brief_number = changed.number`,
};

/** Settlements of the tasks $1 have come, so that the briefs that counted for nobody have to be looked at again. */
export const MAY_COUNT_AGAIN: PreparedStatement = {
  name: 'match_briefs_may_count_again',
  text: `UPDATE match_briefs SET counts = NULL WHERE task_id = ANY($1::text[]) AND NOT counts
    RETURNING encode(words_digest, 'hex') AS digest`,
};

const COUNTS = `EXISTS (SELECT FROM settlements s WHERE s.task_id = b.task_id AND ${countsSql('run.is_anchored')} OFFSET 0)`;
const LAST_RUN = `(SELECT coalesce((
    SELECT anchors > 0 FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1), false) AS is_anchored)`;

/** The next briefs that were never looked at. */
export const UNJUDGED: PreparedStatement = {
  name: 'match_briefs_unjudged',
  text: `SELECT number FROM match_briefs WHERE counts IS NULL ORDER BY number LIMIT ${JUDGED_AT_ONCE}`,
};

/** The next briefs above number $1, each with whether it is known wrongly if it counts. */
export const JUDGED_AFTER: PreparedStatement = {
  name: 'match_briefs_judged_after',
  text: `SELECT b.number, b.counts IS DISTINCT FROM ${COUNTS} AS is_wrong
    FROM ${LAST_RUN} AS run CROSS JOIN LATERAL (
      SELECT * FROM match_briefs WHERE number > $1 ORDER BY number LIMIT ${JUDGED_AT_ONCE} OFFSET 0) AS b
    ORDER BY b.number`,
};

/** Stores whether the briefs $1 count for anybody. Gives the words of those for which that has changed. */
export const JUDGE: PreparedStatement = {
  name: 'match_briefs_judge',
  text: `UPDATE match_briefs own SET counts = judged.counts
    FROM (SELECT b.number, ${COUNTS} AS counts FROM ${LAST_RUN} AS run CROSS JOIN match_briefs b
      WHERE b.number = ANY($1::integer[])) AS judged
    WHERE own.number = judged.number AND own.counts IS DISTINCT FROM judged.counts
    RETURNING encode(own.words_digest, 'hex') AS digest`,
};

/** The newest finished run; the run by which briefs were judged, and up to which number if that goes on. */
export const JUDGED_RUN: PreparedStatement = {
  name: 'match_briefs_judged_run',
  text: `SELECT judged_run, judged_to,
      coalesce((SELECT id FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1), 0) AS last_run
    FROM match_statistics`,
};

/** Notes how far the briefs were judged by the run $1: up to number $2, or null for all. */
export const WRITE_JUDGED: PreparedStatement = {
  name: 'match_briefs_write_judged',
  text: 'UPDATE match_statistics SET judged_run = $1, judged_to = $2',
};

/** A row of `UNJUDGED`. */
export interface UnjudgedRow {
  number: number;
}

/** A row of `JUDGED_AFTER`. */
export interface JudgedRow extends UnjudgedRow {
  is_wrong: boolean;
}

/** The row of `JUDGED_RUN`. */
export interface JudgedRunRow {
  judged_run: number;
  judged_to: number | null;
  last_run: number;
}

/** The words of a brief whose place among equal ones may have changed. */
export interface DigestRow {
  /** In hex; null for a brief without words. */
  digest: string | null;
}

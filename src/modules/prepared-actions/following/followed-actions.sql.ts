import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { listsOf } from '../../../platform/database/prepared-lists.js';
import { NEWEST_BLOCK } from '../../escrow/escrow.sql-views.js';
import { FINAL_AFTER_BLOCKS } from '../action/action-status.js';
import { LISTED_COLUMNS } from '../list/action-list.sql.js';

/** Actions of a tree that are judged at once, and actions of each kind of due work. */
export const FOLLOWED_AT_ONCE = 100;
/** Of those that wait for a transaction, each asks the chain. */
export const ASKED_AT_ONCE = 5;

const FOLLOWED = 'action.told_status IS NOT NULL';
/** As in the index of the same condition. */
const OPEN = `action.told_status IN ('prepared', 'opened', 'signed', 'submitted')`;
const DUE_AT = '(CASE WHEN action.signature IS NULL THEN action.expires_at ELSE action.valid_until END)';

const followed = (name: string, where: string, order: string, limit: number): PreparedStatement => ({
  name,
  text: `SELECT ${LISTED_COLUMNS('action')}, action.told_status, action.is_awaited, ${DUE_AT} AS due_at
    FROM prepared_actions action WHERE ${where} ORDER BY ${order} LIMIT ${limit}`,
});

/** Which looks have something to do. */
export interface FollowedWork {
  readonly trees: boolean;
  readonly due: boolean;
  readonly deep: boolean;
  readonly sent: boolean;
  readonly awaited: boolean;
}

/** What there is to do at $1; by one statement, because most of the time there is nothing. */
export const FOLLOWED_WORK: PreparedStatement = {
  name: 'followed-actions-work',
  text: `SELECT EXISTS (SELECT FROM action_looks) AS trees,
      EXISTS (SELECT FROM prepared_actions action WHERE ${OPEN} AND ${DUE_AT} <= $1) AS due,
      EXISTS (SELECT FROM prepared_actions action WHERE action.told_status = 'confirmed'
        AND action.told_block <= (SELECT number FROM (${NEWEST_BLOCK}) AS newest) - ${FINAL_AFTER_BLOCKS}) AS deep,
      EXISTS (SELECT FROM prepared_actions action WHERE action.told_status = 'submitted') AS sent,
      EXISTS (SELECT FROM prepared_actions action WHERE action.is_awaited) AS awaited`,
};

/** Notes the trees $1 of which some action may have changed its status. */
export const NOTE_TREES: PreparedStatement = {
  name: 'action-looks-insert',
  text: `INSERT INTO action_looks (task_id)
    SELECT tree.task_id FROM unnest($1::text[]) AS tree (task_id)
    WHERE EXISTS (SELECT FROM prepared_actions action
      WHERE action.task_id = tree.task_id AND ${FOLLOWED} AND action.told_status <> 'final')`,
};

/** The oldest notes, and up to which one a look answers those of its tree. */
export const NOTED_TREES: PreparedStatement = {
  name: 'action-looks',
  text: `SELECT task_id, max(id)::text AS last FROM (SELECT id, task_id FROM action_looks ORDER BY id LIMIT 500) AS oldest
    GROUP BY task_id ORDER BY min(id)`,
};

/** Removes the notes of the tree $1 up to the note $2. */
export const FORGET_TREE: PreparedStatement = {
  name: 'action-looks-delete',
  text: 'DELETE FROM action_looks WHERE task_id = $1 AND id <= $2::bigint',
};

/** Moves the notes of the tree $1 up to the note $2 behind those of all others, as one. */
export const NOTE_TREE_AGAIN: PreparedStatement = {
  name: 'action-looks-again',
  text: `WITH removed AS (DELETE FROM action_looks WHERE task_id = $1 AND id <= $2::bigint)
    INSERT INTO action_looks (task_id) VALUES ($1)`,
};

/** The actions of the tree $1 behind the id $2 whose status may still change. */
export const OF_TREE = followed(
  'followed-actions-of-tree',
  `action.task_id = $1 AND ${FOLLOWED} AND action.told_status <> 'final' AND action.id > $2`,
  'action.id',
  FOLLOWED_AT_ONCE,
);

/** Actions behind the moment $1 and the id $3, of those of that moment, whose time is over at $2. */
export const DUE = followed(
  'followed-actions-due',
  `${OPEN} AND (${DUE_AT}, action.id) > ($1, $3) AND ${DUE_AT} <= $2`,
  `${DUE_AT}, action.id`,
  FOLLOWED_AT_ONCE,
);

/** Confirmed actions on whose block so many stand that it stays. */
export const DEEP = followed(
  'followed-actions-deep',
  `action.told_status = 'confirmed'
    AND action.told_block <= (SELECT number FROM (${NEWEST_BLOCK}) AS newest) - ${FINAL_AFTER_BLOCKS}`,
  'action.told_block',
  FOLLOWED_AT_ONCE,
);

/** Actions behind the id $1 whose transaction the chain knew. */
export const SENT = followed(
  'followed-actions-sent',
  `action.told_status = 'submitted' AND action.id > $1`,
  'action.id',
  ASKED_AT_ONCE,
);

/**
 * Actions whose last transaction the chain did not know when it was handed in, behind the moment $1 and, of those of that
 * moment, behind the id $2: any number may have been handed in at once. The node that is asked may have been a moment behind
 * the one that had it, or away.
 */
export const AWAITED = followed(
  'followed-actions-awaited',
  'action.is_awaited AND (action.submitted_at, action.id) > ($1, $2)',
  'action.submitted_at, action.id',
  ASKED_AT_ONCE,
);

/** Asks no more about the actions $1, unless another transaction was handed in behind $2 and $3, the times of theirs. */
export const AWAIT_NO_MORE: PreparedStatement = {
  name: 'followed-actions-await-no-more',
  text: `UPDATE prepared_actions action SET is_awaited = false
    FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS asked (id, submitted_at, second_at)
    WHERE action.id = asked.id AND action.is_awaited AND action.submitted_at = asked.submitted_at
      AND action.second_at IS NOT DISTINCT FROM asked.second_at`,
};

/**
 * Writes what is told of many actions, unless something else was told of one meanwhile: $1 ids, $2 what was told before, $3
 * what is told now, $4 the block of the execution. Gives the ids of those that were written.
 */
export const TELL: PreparedStatement = {
  name: 'actions-tell',
  text: `UPDATE prepared_actions action SET told_status = change.status, told_block = change.block::integer
    FROM unnest(${listsOf('text', 'text', 'text', 'text')}) AS change (id, before, status, block)
    WHERE action.id = change.id AND action.told_status = change.before
    RETURNING action.id`,
};

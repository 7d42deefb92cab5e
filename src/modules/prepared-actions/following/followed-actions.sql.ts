import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { listsOf } from '../../../platform/database/prepared-lists.js';
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
  text: `SELECT ${LISTED_COLUMNS('action')}, action.told_status, ${DUE_AT} AS due_at
    FROM prepared_actions action WHERE ${where} ORDER BY ${order} LIMIT ${limit}`,
});

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

/** The actions of the tree $1 behind the id $2 whose status may still change. */
export const OF_TREE = followed(
  'followed-actions-of-tree',
  `action.task_id = $1 AND ${FOLLOWED} AND action.told_status <> 'final' AND action.id > $2`,
  'action.id',
  FOLLOWED_AT_ONCE,
);

/** Actions behind the moment $1 whose time is over at $2. */
export const DUE = followed(
  'followed-actions-due',
  `${OPEN} AND ${DUE_AT} > $1 AND ${DUE_AT} <= $2`,
  DUE_AT,
  FOLLOWED_AT_ONCE,
);

/** Confirmed actions whose block is at most $1. */
export const DEEP = followed(
  'followed-actions-deep',
  `action.told_status = 'confirmed' AND action.told_block <= $1`,
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

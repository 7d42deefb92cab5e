import type { PreparedStatement } from '../../../platform/database/transactions.js';

/**
 * Of each of the tasks $1, which are locked: whether its tree is shown, how much of it was told, the lowest rollback since
 * then, and the newest block and rollback of the index. Books are written with the other rows of a tree and deleted with
 * the last of them.
 */
export const TREES_BEFORE: PreparedStatement = {
  name: 'told-trees-before',
  text: `SELECT task.id AS "taskId", tree.task_id IS NOT NULL AS "isShown", told.block_number AS "toldBlock",
      (SELECT block_number FROM chain_rollbacks back WHERE back.id > told.rollback_id ORDER BY back.id LIMIT 1)
        AS "rolledBackTo",
      newest.rollback_id AS "rollbackId", newest.tip
    FROM unnest((SELECT $1::text[])) AS task (id)
    LEFT JOIN escrow_trees tree ON tree.task_id = task.id
    LEFT JOIN told_trees told ON told.task_id = task.id
    CROSS JOIN (SELECT coalesce((SELECT max(id) FROM chain_rollbacks), 0) AS rollback_id,
      coalesce((SELECT max(number) FROM chain_blocks), -1) AS tip) AS newest`,
};

/** A row of `TREES_BEFORE`. */
export interface TreeBefore {
  readonly taskId: string;
  readonly isShown: boolean;
  /** Null while nothing was told. */
  readonly toldBlock: number | null;
  /** Null when the index was not rolled back since. */
  readonly rolledBackTo: number | null;
  readonly rollbackId: string;
  readonly tip: number;
}

/** Notes of the trees $1 that all up to the blocks $2 is told, as of the rollbacks $3. */
export const SET_TOLD: PreparedStatement = {
  name: 'told-trees-set',
  text: `INSERT INTO told_trees AS told (task_id, block_number, rollback_id)
    SELECT * FROM unnest((SELECT $1::text[]), (SELECT $2::integer[]), (SELECT $3::bigint[]))
    ON CONFLICT (task_id) DO UPDATE SET block_number = EXCLUDED.block_number, rollback_id = EXCLUDED.rollback_id
    WHERE (told.block_number, told.rollback_id) IS DISTINCT FROM (EXCLUDED.block_number, EXCLUDED.rollback_id)`,
};

/** Notes a rollback to the block $1. Earlier ones that went no further down say nothing more. */
export const NOTE_ROLLBACK: PreparedStatement = {
  name: 'chain-rollbacks-note',
  text: `WITH said AS (DELETE FROM chain_rollbacks WHERE block_number >= $1)
    INSERT INTO chain_rollbacks (block_number) VALUES ($1)`,
};

/** In the place of a task: all trees that were set aside. */
export const ALL = 'all';

/** Lets the indexer try the tree of the task $1, or all that were set aside, again from the time $2. */
export const RETRY = `WITH tried AS (
    UPDATE unpublished_trees SET retry_at = $2 WHERE attempts > 0 AND ($1 = '${ALL}' OR task_id = $1) RETURNING task_id
  ) SELECT task_id FROM tried ORDER BY task_id`;

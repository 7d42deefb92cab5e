/**
 * SQL of the time of the newest block up to which the index is shown; `-infinity` while there is none. That something
 * did not happen before a deadline is known only when the index is past the deadline: until then, a block that is
 * unread, or whose facts are read and not yet shown, may hold it, however late our own clock says it is. Trees that are
 * published apart do not hold this time back; a decision about one of them must ask `isShown` too.
 */
export const INDEXED_TIME = `coalesce((SELECT timestamp FROM chain_blocks WHERE number < coalesce(
    (SELECT min(block_number) FROM unpublished_trees WHERE attempts = 0 AND NOT is_apart), 2147483647)
  ORDER BY number DESC LIMIT 1), '-infinity'::timestamptz)`;

/**
 * True when all facts that the index has of a task's tree are shown.
 * @param taskId SQL of the task's id.
 */
export function isShown(taskId: string): string {
  return `NOT EXISTS (SELECT 1 FROM unpublished_trees unshown WHERE unshown.task_id = ${taskId})`;
}

/** More trees than this wait to be shown only while the index catches up: fewer are shown in the step that reads them. */
const FEW_TREES = 50;

/**
 * True in SQL while the index catches up. What nobody sees meanwhile is better done once, after that. Trees that are published
 * apart do not count: large ones of a stranger could wait for hours.
 */
export const INDEX_CATCHES_UP = `EXISTS (
  SELECT FROM unpublished_trees WHERE attempts = 0 AND NOT is_apart OFFSET ${FEW_TREES})`;

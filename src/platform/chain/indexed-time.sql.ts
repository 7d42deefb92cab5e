/**
 * The time of the newest block up to which the index is shown; before every time while there is none. What was possible until
 * a moment has not happened only when the index is past that moment: an unread block may hold it, and so may one whose facts
 * are read and not yet shown, however late our own clock says it is. Trees that are published by themselves hold nobody up;
 * whoever decides about something of theirs asks `isShown` too.
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

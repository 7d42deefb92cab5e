/**
 * The time of the newest block that the index has read; before every time while it has read none. What was possible until
 * a moment has not happened only when the index is past that moment: an unread block may hold it, however late our own
 * clock says it is.
 */
export const INDEXED_TIME =
  "coalesce((SELECT timestamp FROM chain_blocks ORDER BY number DESC LIMIT 1), '-infinity'::timestamptz)";

/** Most sessions of one account. */
const MAX_SESSIONS = 100;

/** Deletes the oldest sessions of account $1 beyond MAX_SESSIONS. The account's row is locked meanwhile. */
export const DELETE_OLDEST_SESSIONS = `DELETE FROM browser_sessions WHERE account_id = $1 AND id NOT IN (
  SELECT id FROM browser_sessions WHERE account_id = $1 ORDER BY id DESC LIMIT ${MAX_SESSIONS})`;

/** How many used links of one action stay in the table. */
const USED_LINKS = 20;

/**
 * Makes $1 the second link of the action $2, at $3. It takes the place of one that was not used, also of one that is made at
 * the same moment.
 */
export const MAKE_LINK = `INSERT INTO signing_extra_links (token_hash, action_id, created_at) VALUES ($1, $2, $3)
  ON CONFLICT (action_id) WHERE used_at IS NULL
  DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at`;

/** Deletes the used second links of the action $1, but for the last. */
export const FORGET_LINKS = `DELETE FROM signing_extra_links WHERE action_id = $1 AND used_at IS NOT NULL AND token_hash NOT IN (
  SELECT token_hash FROM signing_extra_links WHERE action_id = $1 AND used_at IS NOT NULL
  ORDER BY created_at DESC LIMIT ${USED_LINKS})`;

/** How many used links of one action stay in the table. */
const USED_LINKS = 20;

/** Deletes the second links of the action $1, but for the last that were used. */
export const FORGET_LINKS = `DELETE FROM signing_extra_links WHERE action_id = $1 AND (used_at IS NULL OR token_hash NOT IN (
  SELECT token_hash FROM signing_extra_links WHERE action_id = $1 ORDER BY created_at DESC LIMIT ${USED_LINKS}))`;

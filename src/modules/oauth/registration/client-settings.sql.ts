/**
 * A row where somebody has registered the application $1 or has given it consent; an application with a document has no
 * record.
 */
export const IS_KNOWN_CLIENT = `SELECT 1 FROM oauth_grants WHERE client_id = $1
  UNION ALL SELECT 1 FROM oauth_records WHERE kind = 'Client' AND id_hash = sha256(convert_to($1, 'UTF8')) LIMIT 1`;

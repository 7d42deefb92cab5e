import { keyLasts, lastingGrants } from '../credentials.sql-views.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';

const GRANTS = lastingGrants('allowed', '$3');

/**
 * Which of some credentials no longer hold, by their place from 1 on: $1 ids of keys or grants, $2 for a grant the first 16
 * hexadecimal digits of the hash of its token, else null; $3 now by the wall clock. The rules are those by which a
 * request is admitted (access-token.sql.ts and api-key-verifier.ts).
 */
export const ENDED_CREDENTIALS: PreparedStatement = {
  name: 'credentials-ended',
  text: `
  SELECT held.place::integer AS place
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS held (id, token, place)
  WHERE NOT EXISTS (
      SELECT FROM api_keys key JOIN accounts account ON account.id = key.account_id
      WHERE key.id = held.id AND ${keyLasts('key', '$3')} AND account.status = 'active')
    AND NOT EXISTS (
      SELECT FROM ${GRANTS.from} JOIN accounts account ON account.id = allowed.account_id
      JOIN oauth_records token ON token.kind = 'AccessToken' AND token.grant_id = allowed.id
        AND token.id_hash >= decode(held.token || repeat('00', 24), 'hex')
        AND token.id_hash <= decode(held.token || repeat('ff', 24), 'hex')
      WHERE allowed.id = held.id AND account.status = 'active' AND token.expires_at > $3 AND ${GRANTS.where})`,
};

import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { AccountStatus } from '../../accounts/account.entity.js';

/** The row of a token, joined with everything that it depends on. */
export interface AccessTokenRow {
  /** True while the token, its grant and the person's consent are all valid, and the token is for this service. */
  is_live: boolean;
  /** The earliest of their ends. */
  expires_at: Date;
  /** Separated by spaces; null when it has none. */
  scope: string | null;
  /** Thumbprint of the key that it is bound to (RFC 7638); null for a bearer token. */
  thumbprint: string | null;
  /** Null when no consent of a person is known; then the token is not live. */
  grant_id: string | null;
  client_id: string;
  granted_scopes: string[];
  /** Base units. */
  funding_cap: string | null;
  spend_policy_id: string | null;
  last_used_at: Date | null;
  account_id: string;
  wallet_address: string | null;
  account_status: AccountStatus;
}

/**
 * Everything about one access token in one statement. Placeholders: SHA-256 of the token, now by the wall clock, the
 * audience of this service. The OAuth library's Grant and this service's row of the grant must both be valid: whichever is
 * revoked first ends the token.
 */
export const READ_ACCESS_TOKEN: PreparedStatement = {
  name: 'access-token-read',
  text: `
  SELECT COALESCE(
           ends.at > $2 AND token.payload->>'aud' = $3 AND library_grant.kind IS NOT NULL AND allowed.revoked_at IS NULL,
           false
         ) AND allowed.id IS NOT NULL AS is_live,
         ends.at AS expires_at, token.payload->>'scope' AS scope, token.payload->>'jkt' AS thumbprint,
         allowed.id AS grant_id, allowed.client_id, allowed.scopes AS granted_scopes, allowed.funding_cap, policy.id AS spend_policy_id,
         allowed.last_used_at, account.id AS account_id, account.wallet_address, account.status AS account_status
  FROM oauth_records token
  LEFT JOIN oauth_records library_grant
    ON library_grant.kind = 'Grant' AND library_grant.id_hash = sha256(convert_to(token.grant_id, 'UTF8'))
  LEFT JOIN oauth_grants allowed
    ON allowed.id = token.grant_id AND allowed.account_id = token.payload->>'accountId'
      AND allowed.client_id = token.payload->>'clientId'
  LEFT JOIN spend_policies policy ON policy.account_id = allowed.account_id AND policy.client_id = allowed.client_id
  LEFT JOIN accounts account ON account.id = allowed.account_id
  CROSS JOIN LATERAL (
    SELECT LEAST(token.expires_at, to_timestamp((token.payload->>'exp')::double precision), library_grant.expires_at,
                 allowed.expires_at) AS at
  ) ends
  WHERE token.kind = 'AccessToken' AND token.id_hash = $1`,
};

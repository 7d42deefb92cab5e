import { deleteBatch } from '../../platform/database/expired-rows.sql.js';

/** Deletes a batch of proofs of possession from before the placeholder's moment: too old to be accepted again. */
export const DELETE_EXPIRED_PROOFS = deleteBatch('dpop_proofs', 'proof_hash');

/**
 * SQL that is true while a credential that may read lasts: the key or the grant is there, has the scope, and has neither ended
 * nor been revoked. It lasts also while its account is suspended. All parameters are SQL.
 * @param credential id of a key or of a grant; null there: the account itself, which lasts.
 * @param now the wall clock's time, which keys and grants end by.
 */
export function readerLasts(account: string, credential: string, now: string): string {
  return `(${credential} IS NULL
    OR EXISTS (SELECT FROM api_keys key WHERE key.id = ${credential} AND key.account_id = ${account}
      AND key.scope = 'read' AND key.revoked_at IS NULL AND key.expires_at > ${now})
    OR EXISTS (SELECT FROM oauth_grants allowed JOIN oauth_records library_grant
        ON library_grant.kind = 'Grant' AND library_grant.id_hash = sha256(convert_to(allowed.id, 'UTF8'))
      WHERE allowed.id = ${credential} AND allowed.account_id = ${account} AND 'read' = ANY (allowed.scopes)
        AND allowed.revoked_at IS NULL AND allowed.expires_at > ${now} AND library_grant.expires_at > ${now}))`;
}

/** As `readerLasts`, and the account is active. */
export function mayRead(account: string, credential: string, now: string): string {
  return `(EXISTS (SELECT FROM accounts owner WHERE owner.id = ${account} AND owner.status = 'active')
    AND ${readerLasts(account, credential, now)})`;
}

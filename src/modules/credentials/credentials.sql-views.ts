import { deleteBatch } from '../../platform/database/expired-rows.sql.js';

/** Deletes a batch of proofs of possession from before the placeholder's moment: too old to be accepted again. */
export const DELETE_EXPIRED_PROOFS = deleteBatch('dpop_proofs', 'proof_hash');

/** The ids of the spend policies of an account. @param account SQL of its id. */
export function spendPoliciesOf(account: string): string {
  return `SELECT id FROM spend_policies WHERE account_id = ${account}`;
}

/** SQL that is true while the API key of an alias lasts. @param now SQL of the wall clock's time. */
export function keyLasts(key: string, now: string): string {
  return `(${key}.revoked_at IS NULL AND ${key}.expires_at > ${now})`;
}

/** Grants that last, with the library's record of each (`library_grant`). @param now as above. */
export function lastingGrants(grant: string, now: string): { readonly from: string; readonly where: string } {
  return {
    from: `oauth_grants ${grant} JOIN oauth_records library_grant
        ON library_grant.kind = 'Grant' AND library_grant.id_hash = sha256(convert_to(${grant}.id, 'UTF8'))`,
    where: `(${grant}.revoked_at IS NULL AND ${grant}.expires_at > ${now} AND library_grant.expires_at > ${now})`,
  };
}

/**
 * SQL that is true while a credential that may read lasts: the key or the grant is there, has the scope, and has neither ended
 * nor been revoked. It lasts also while its account is suspended. All parameters are SQL.
 * @param credential id of a key or of a grant; null there: the account itself, which lasts.
 * @param now the wall clock's time, which keys and grants end by.
 */
export function readerLasts(account: string, credential: string, now: string): string {
  const grants = lastingGrants('allowed', now);
  return `(${credential} IS NULL
    OR EXISTS (SELECT FROM api_keys key WHERE key.id = ${credential} AND key.account_id = ${account}
      AND key.scope = 'read' AND ${keyLasts('key', now)})
    OR EXISTS (SELECT FROM ${grants.from}
      WHERE allowed.id = ${credential} AND allowed.account_id = ${account} AND 'read' = ANY (allowed.scopes)
        AND ${grants.where}))`;
}

/** As `readerLasts`, and the account is active. */
export function mayRead(account: string, credential: string, now: string): string {
  return `(EXISTS (SELECT FROM accounts owner WHERE owner.id = ${account} AND owner.status = 'active')
    AND ${readerLasts(account, credential, now)})`;
}

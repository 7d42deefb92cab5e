import type { Transactions } from '../../../platform/database/transactions.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';

const END = `UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
  RETURNING account_id, client_id`;

/** Deletes a grant and everything issued under it. Interactions that name it stay until they expire. */
const DELETE_RECORDS = `DELETE FROM oauth_records
  WHERE grant_id = $1 AND kind IN ('AccessToken', 'RefreshToken', 'AuthorizationCode', 'Grant')`;

interface EndedGrant {
  accountId: string;
  clientId: string;
}

/**
 * Ends a grant and everything that was issued under it, in all processes when the transaction commits.
 * @returns the grant's account and application; null when the grant had ended before or does not exist.
 */
export function endGrant(transactions: Transactions, grantId: string, now: Date): Promise<EndedGrant | null> {
  return transactions.run(async (manager) => {
    const [[ended]] = await manager.query<[{ account_id: string; client_id: string }[], number]>(END, [grantId, now]);
    await manager.query(DELETE_RECORDS, [grantId]);
    await announceCredentialChange(transactions, grantId);
    return ended ? { accountId: ended.account_id, clientId: ended.client_id } : null;
  });
}

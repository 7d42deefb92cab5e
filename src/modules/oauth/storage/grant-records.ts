import type { Transactions } from '../../../platform/database/transactions.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';

const END = `UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
  RETURNING account_id, client_id`;

/** Whatever was issued under the grant, and the grant itself. Interactions that name it are left to expire. */
const DELETE_RECORDS = `DELETE FROM oauth_records
  WHERE grant_id = $1 AND kind IN ('AccessToken', 'RefreshToken', 'AuthorizationCode', 'Grant')`;

interface EndedGrant {
  accountId: string;
  clientId: string;
}

/**
 * Ends a grant and everything that was issued under it, in all processes when the transaction commits.
 * @returns whose it was; null when it had ended before, or there is none.
 */
export function endGrant(transactions: Transactions, grantId: string, now: Date): Promise<EndedGrant | null> {
  return transactions.run(async (manager) => {
    const [[ended]] = await manager.query<[{ account_id: string; client_id: string }[], number]>(END, [grantId, now]);
    await manager.query(DELETE_RECORDS, [grantId]);
    await announceCredentialChange(transactions, grantId);
    return ended ? { accountId: ended.account_id, clientId: ended.client_id } : null;
  });
}

import type { Transactions } from '../../../platform/database/transactions.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';
import { DELETE_GRANT_RECORDS, END_GRANT } from './oauth-record.sql.js';

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
    const [[ended]] = await manager.query<[{ account_id: string; client_id: string }[], number]>(END_GRANT, [
      grantId,
      now,
    ]);
    await manager.query(DELETE_GRANT_RECORDS, [grantId]);
    await announceCredentialChange(transactions, grantId);
    return ended ? { accountId: ended.account_id, clientId: ended.client_id } : null;
  });
}

import type { Transactions } from '../../../platform/database/transactions.js';
import { accessEvent } from '../../accounts/audit/access-event.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
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
    if (!ended) return null;
    const accountId = ended.account_id;
    await recordEvents(manager, [accessEvent('app.revoked', { accountId, id: grantId, at: now })]);
    return { accountId, clientId: ended.client_id };
  });
}

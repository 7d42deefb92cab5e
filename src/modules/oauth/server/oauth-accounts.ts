import { Injectable } from '@nestjs/common';
import type { Account } from 'oidc-provider';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { reachable } from '../protocol/oauth-fault.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';

const ACTIVE: PreparedStatement = {
  name: 'oauth-account-active',
  text: `SELECT id FROM accounts WHERE id = $1 AND status = 'active'`,
};

/** The accounts as the library sees them: an id, and nothing else of anybody. */
@Injectable()
export class OAuthAccounts {
  constructor(
    private readonly transactions: Transactions,
    private readonly requests: OAuthRequests,
  ) {}

  /** Undefined for an unknown or suspended account: then no code is exchanged and no token refreshed. */
  async find(accountId: string): Promise<Account | undefined> {
    const rows = await reachable(() =>
      this.requests.within(() => runPrepared(this.transactions.manager, ACTIVE, [accountId])),
    );
    return rows.length === 1 ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
  }
}

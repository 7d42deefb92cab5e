import { Injectable } from '@nestjs/common';
import type { Account } from 'oidc-provider';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { reachable } from '../protocol/oauth-fault.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';
import { ACTIVE_ACCOUNT } from '../../accounts/active-account.sql.js';

/** Accounts for the library. It sees only their ids. */
@Injectable()
export class OAuthAccounts {
  constructor(
    private readonly transactions: Transactions,
    private readonly requests: OAuthRequests,
  ) {}

  /**
   * Finds an account; undefined for an unknown or suspended one, for which no code is exchanged and no token refreshed.
   */
  async find(accountId: string): Promise<Account | undefined> {
    const rows = await reachable(() =>
      this.requests.within(() => runPrepared(this.transactions.manager, ACTIVE_ACCOUNT, [accountId])),
    );
    return rows.length === 1 ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
  }
}

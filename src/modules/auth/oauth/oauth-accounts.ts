import { Injectable } from '@nestjs/common';
import type { Account } from 'oidc-provider';
import { Transactions } from '../../../platform/database/transactions.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { reachable } from './oauth-fault.js';
import { OAuthRequests } from './oauth-requests.js';

/** The accounts as the library sees them: an id, and nothing else of anybody. */
@Injectable()
export class OAuthAccounts {
  constructor(
    private readonly transactions: Transactions,
    private readonly requests: OAuthRequests,
  ) {}

  /** Undefined for an unknown or suspended account: then no code is exchanged and no token refreshed. */
  async find(accountId: string): Promise<Account | undefined> {
    const where = { id: accountId, status: 'active' } as const;
    const isActive = await reachable(() =>
      this.requests.within(() => this.transactions.manager.existsBy(AccountEntity, where)),
    );
    return isActive ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
  }
}

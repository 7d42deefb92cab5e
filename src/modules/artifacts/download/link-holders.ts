import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ACTIVE_ACCOUNT } from '../../accounts/active-account.sql.js';

/** The accounts that links were made for. A suspension stops them as it stops keys: at once. */
@Injectable()
export class LinkHolders {
  constructor(private readonly transactions: Transactions) {}

  /** The grant of a link while its account is active; null: there is none, or the account is suspended or erased. */
  async active<T extends { readonly accountId: string }>(grant: T | null): Promise<T | null> {
    if (grant === null) return null;
    const [active] = await this.transactions.lookUp(ACTIVE_ACCOUNT, [grant.accountId]);
    return active === undefined ? null : grant;
  }
}

import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ACTIVE_ACCOUNT } from '../../accounts/active-account.sql.js';
import { DownloadLimit } from './download-limit.js';

/** Who may open a link at all. A suspension stops the links of an account as it stops its keys: at once. */
@Injectable()
export class LinkOpenings {
  constructor(
    private readonly limit: DownloadLimit,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Counts one opening. Returns the grant of the link; null where it has none, or its account is suspended or erased.
   * @param subjectOf what the link opens, of which each account may open only so much.
   * @param clientAddress a link that is not valid counts against its network.
   * @throws ApiError `rate_limited`.
   */
  async admit<T extends { readonly accountId: string }>(
    grant: T | null,
    subjectOf: (grant: T) => string,
    clientAddress: string | undefined,
  ): Promise<T | null> {
    if (grant === null) {
      await this.limit.takeBad(clientAddress);
      return null;
    }
    await this.limit.takeGrant(grant.accountId, subjectOf(grant));
    const [active] = await this.transactions.lookUp(ACTIVE_ACCOUNT, [grant.accountId]);
    return active === undefined ? null : grant;
  }
}

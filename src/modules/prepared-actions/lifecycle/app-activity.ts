import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { PREPARED_COUNTS } from './app-activity.sql.js';

/** What one application has prepared for one account. */
export interface PreparedCount {
  /** At most `COUNTED_ACTIONS` + 1, which says that there are more. */
  readonly prepared: number;
  readonly lastPreparedAt: Date;
}

interface CountRow {
  client_id: string;
  prepared: number;
  last_prepared_at: Date;
}

/** What applications have done for an account, for the person to see. */
@Injectable()
export class AppActivity {
  constructor(private readonly transactions: Transactions) {}

  /** The counts by client id; an application that has prepared nothing is missing. */
  async preparedCounts(accountId: string): Promise<Map<string, PreparedCount>> {
    const rows = await this.transactions.manager.query<CountRow[]>(PREPARED_COUNTS, [accountId]);
    return new Map(
      rows.map(({ client_id: clientId, prepared, last_prepared_at: lastPreparedAt }) => [
        clientId,
        { prepared, lastPreparedAt },
      ]),
    );
  }
}

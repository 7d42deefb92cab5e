import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';

/** What one application has prepared for one account. */
export interface PreparedCount {
  readonly prepared: number;
  readonly lastPreparedAt: Date;
}

interface CountRow {
  client_id: string;
  prepared: number;
  last_prepared_at: Date;
}

const COUNTS = `
  SELECT client_id, count(*)::integer AS prepared, max(created_at) AS last_prepared_at
  FROM prepared_actions WHERE account_id = $1 AND client_id IS NOT NULL GROUP BY client_id`;

/** What applications have done for an account, for the person to see. */
@Injectable()
export class AppActivity {
  constructor(private readonly transactions: Transactions) {}

  /** By client id; an application that has prepared nothing is missing. */
  async preparedCounts(accountId: string): Promise<Map<string, PreparedCount>> {
    const rows = await this.transactions.manager.query<CountRow[]>(COUNTS, [accountId]);
    return new Map(
      rows.map(({ client_id: clientId, prepared, last_prepared_at: lastPreparedAt }) => [
        clientId,
        { prepared, lastPreparedAt },
      ]),
    );
  }
}

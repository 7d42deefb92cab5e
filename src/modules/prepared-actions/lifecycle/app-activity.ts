import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';

/** Actions that are counted for one application: more are as many as this and one. */
export const COUNTED_ACTIONS = 1_000;

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

/**
 * $1 account. From one application to the next by the index, and for each no further than is counted: what they have done
 * may be very much. Ids begin with `act_` and are in order of time: the last is the one before `b`, of that order and no other.
 */
export const PREPARED_COUNTS = `WITH RECURSIVE app AS (
    SELECT min(client_id) AS client_id FROM prepared_actions WHERE account_id = $1 AND client_id IS NOT NULL
    UNION ALL
    SELECT (SELECT min(client_id) FROM prepared_actions WHERE account_id = $1 AND client_id > app.client_id)
    FROM app WHERE app.client_id IS NOT NULL
  )
  SELECT client_id, prepared, (
      SELECT created_at FROM prepared_actions
      WHERE account_id = $1 AND client_id IS NOT NULL AND (client_id, id) < (app.client_id, 'b')
      ORDER BY client_id DESC, id DESC LIMIT 1
    ) AS last_prepared_at
  FROM app
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS prepared FROM (
      SELECT id FROM prepared_actions
      WHERE account_id = $1 AND client_id >= app.client_id AND (client_id, id) < (app.client_id, 'b')
      ORDER BY client_id DESC, id DESC LIMIT ${COUNTED_ACTIONS + 1}
    ) AS newest
  ) AS counted
  WHERE client_id IS NOT NULL`;

/** What applications have done for an account, for the person to see. */
@Injectable()
export class AppActivity {
  constructor(private readonly transactions: Transactions) {}

  /** By client id; an application that has prepared nothing is missing. */
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

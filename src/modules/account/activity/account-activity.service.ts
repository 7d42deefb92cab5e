import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { type ActivityRow, LATEST_EVENTS } from './account-activity.sql.js';

/** One entry of an account's audit record. */
export interface ActivityEntry {
  id: string;
  occurredAt: Date;
  /** `AuditEventName`, or an event name of a later version of the service. */
  event: string;
  /** `X-Request-Id`; null = a command of the operator. */
  requestId: string | null;
  /** Name of the application at the latest consent; null = no application, or one that never got a consent. */
  clientName: string | null;
  clientId: string | null;
  detail: Readonly<Record<string, unknown>>;
}

/** Reads the audit record of an account for its owner. */
@Injectable()
export class AccountActivity {
  constructor(private readonly transactions: Transactions) {}

  /** The newest hundred entries of this account, newest first. */
  async latest(accountId: string): Promise<ActivityEntry[]> {
    const rows = await this.transactions.manager.query<ActivityRow[]>(LATEST_EVENTS, [accountId]);
    return rows.map((row) => ({
      id: row.id,
      occurredAt: row.occurred_at,
      event: row.event,
      requestId: row.request_id,
      clientName: row.client_name,
      clientId: row.client_id,
      detail: row.detail,
    }));
  }
}

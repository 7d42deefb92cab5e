import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';

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

interface ActivityRow {
  id: string;
  occurred_at: Date;
  event: string;
  request_id: string | null;
  client_id: string | null;
  client_name: string | null;
  detail: Record<string, unknown>;
}

const NEWEST = 100;
const LATEST = `
  SELECT event.id, event.occurred_at, event.event, event.request_id, event.client_id, client.client_name, event.detail
  FROM (SELECT * FROM audit_events WHERE account_id = $1 ORDER BY id DESC LIMIT ${NEWEST}) AS event
  LEFT JOIN LATERAL (
    SELECT client_name FROM oauth_grants
    WHERE account_id = $1 AND client_id = event.client_id ORDER BY created_at DESC, id DESC LIMIT 1
  ) AS client ON true
  ORDER BY event.id DESC`;

/** Reads the audit record of an account for its owner. */
@Injectable()
export class AccountActivity {
  constructor(private readonly transactions: Transactions) {}

  /** The newest hundred entries of this account, newest first. */
  async latest(accountId: string): Promise<ActivityEntry[]> {
    const rows = await this.transactions.manager.query<ActivityRow[]>(LATEST, [accountId]);
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

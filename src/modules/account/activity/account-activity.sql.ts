const NEWEST = 100;

/** A row of `LATEST_EVENTS`. */
export interface ActivityRow {
  id: string;
  occurred_at: Date;
  event: string;
  request_id: string | null;
  client_id: string | null;
  client_name: string | null;
  detail: Record<string, unknown>;
}

/**
 * The newest entries of the audit record of account $1, newest first. The name of an application is that of the
 * account's latest grant to it.
 */
export const LATEST_EVENTS = `
  SELECT event.id, event.occurred_at, event.event, event.request_id, event.client_id, client.client_name, event.detail
  FROM (SELECT * FROM audit_events WHERE account_id = $1 ORDER BY id DESC LIMIT ${NEWEST}) AS event
  LEFT JOIN LATERAL (
    SELECT client_name FROM oauth_grants
    WHERE account_id = $1 AND client_id = event.client_id ORDER BY created_at DESC, id DESC LIMIT 1
  ) AS client ON true
  ORDER BY event.id DESC`;

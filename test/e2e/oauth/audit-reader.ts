import pg from 'pg';
import { localMarket } from '../../support/market.js';

/** Reads the audit record by the `X-Request-Id` of answers. */
export class AuditReader {
  private constructor(private readonly client: pg.Client) {}

  static async open(): Promise<AuditReader> {
    const client = new pg.Client({ connectionString: localMarket().database_url });
    await client.connect();
    return new AuditReader(client);
  }

  /** Events of the request that was answered with these headers, the oldest first. */
  async of(headers: Headers): Promise<string[]> {
    const { rows } = await this.client.query<{ event: string }>(
      'SELECT event FROM audit_events WHERE request_id = $1 ORDER BY id',
      [headers.get('X-Request-Id')],
    );
    return rows.map(({ event }) => event);
  }

  /** How many live codes, tokens and grants an application has. */
  async holdings(clientId: string): Promise<number> {
    const { rows } = await this.client.query<{ held: number }>(
      `SELECT ((SELECT count(*) FROM oauth_records WHERE payload->>'clientId' = $1
                AND kind IN ('AuthorizationCode', 'AccessToken', 'RefreshToken', 'Grant'))
             + (SELECT count(*) FROM oauth_grants WHERE client_id = $1))::int AS held`,
      [clientId],
    );
    return rows[0]!.held;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

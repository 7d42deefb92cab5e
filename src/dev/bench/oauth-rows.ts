import { createHash, randomBytes } from 'node:crypto';
import type { BenchMarket } from './bench-market.js';

const DAY_MS = 86_400_000;
const REDIRECT = 'http://127.0.0.1/callback';

const RECORDS = `INSERT INTO oauth_records (kind, id_hash, payload, grant_id, created_at, expires_at)
  SELECT $1, decode(hash, 'hex'), $3, $4, now(), $5 FROM unnest($2::text[]) AS made(hash)`;

/** An application that an account has connected, with tokens put straight into the database: as many as a load needs. */
export class ConnectedApp {
  private readonly grantId = secret();
  private readonly end = new Date(Date.now() + DAY_MS);

  private constructor(
    private readonly market: BenchMarket,
    readonly clientId: string,
  ) {}

  static async connect(market: BenchMarket): Promise<ConnectedApp> {
    const app = new ConnectedApp(market, await register(market.file.base_url));
    await app.grant();
    return app;
  }

  /** A token of a day's life for `read`. @param jkt thumbprint of the key that it is bound to. */
  async accessToken(jkt?: string): Promise<string> {
    const [token = ''] = await this.tokens('AccessToken', 1, { aud: this.market.file.base_url, jkt });
    return token;
  }

  /** Refresh tokens that are each good once. */
  refreshTokens(count: number): Promise<string[]> {
    return this.tokens('RefreshToken', count, { resource: this.market.file.base_url, rotations: 0, iiat: seconds() });
  }

  private async grant(): Promise<void> {
    const { caller, file, query } = this.market;
    await query(
      `INSERT INTO oauth_grants (id, account_id, client_id, client_name, scopes, created_at, expires_at)
       VALUES ($1, $2, $3, 'Bench', ARRAY['read'], now(), $4)`,
      [this.grantId, caller.account_id, this.clientId, this.end],
    );
    await this.insert('Grant', [this.grantId], { resources: { [file.base_url]: 'read' } });
  }

  private async tokens(kind: string, count: number, own: Record<string, unknown>): Promise<string[]> {
    const tokens = Array.from({ length: count }, secret);
    await this.insert(kind, tokens, { grantId: this.grantId, gty: 'authorization_code', scope: 'read', ...own });
    return tokens;
  }

  private async insert(kind: string, ids: readonly string[], own: Record<string, unknown>): Promise<void> {
    const { market, clientId, end } = this;
    const times = { iat: seconds(), exp: Math.floor(end.getTime() / 1000) };
    const payload = { kind, accountId: market.caller.account_id, clientId, ...times, ...own };
    const hashes = ids.map((id) => createHash('sha256').update(id).digest('hex'));
    await market.query(RECORDS, [kind, hashes, JSON.stringify(payload), this.grantId, end]);
  }
}

/** A public client that registers itself, as an assistant does. */
async function register(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Bench',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  });
  const client: unknown = await answer.json();
  if (typeof client === 'object' && client !== null && 'client_id' in client) return String(client.client_id);
  throw new Error(`The registration answered ${answer.status}: ${JSON.stringify(client)}`);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

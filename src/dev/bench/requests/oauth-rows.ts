import { createHash, randomBytes } from 'node:crypto';
import type { BenchMarket } from '../bench-market.js';
import { INSERT_GRANT, INSERT_RECORD } from './oauth-rows.sql.js';

const DAY_MS = 86_400_000;
const REDIRECT = 'http://127.0.0.1/callback';

/** An application that an account has connected, with grants and tokens put straight into the database. */
export class ConnectedApp {
  private readonly grantId = secret();
  private readonly end = new Date(Date.now() + DAY_MS);

  private constructor(
    private readonly market: BenchMarket,
    readonly clientId: string,
  ) {}

  static async connect(market: BenchMarket): Promise<ConnectedApp> {
    const app = new ConnectedApp(market, await register(market.file.base_url));
    await app.grant(app.grantId);
    return app;
  }

  /** An access token for `read` that lives a day. @param jkt thumbprint of the key that the token is bound to. */
  accessToken(jkt?: string): Promise<string> {
    return this.token('AccessToken', this.grantId, { aud: this.market.file.base_url, jkt });
  }

  /**
   * The first refresh tokens of `count` grants. Each needs its own grant, because two chains of one grant would look
   * like a replay.
   */
  async refreshTokens(count: number): Promise<string[]> {
    const own = { resource: this.market.file.base_url, rotations: 0, iiat: seconds() };
    const tokens: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const grantId = secret();
      await this.grant(grantId);
      tokens.push(await this.token('RefreshToken', grantId, own));
    }
    return tokens;
  }

  private async grant(id: string): Promise<void> {
    const { caller, file, query } = this.market;
    await query(INSERT_GRANT, [id, caller.account_id, this.clientId, this.end]);
    await this.insert('Grant', id, id, { resources: { [file.base_url]: 'read' } });
  }

  private async token(kind: string, grantId: string, own: Record<string, unknown>): Promise<string> {
    const token = secret();
    await this.insert(kind, token, grantId, { grantId, gty: 'authorization_code', scope: 'read', ...own });
    return token;
  }

  private async insert(kind: string, id: string, grantId: string, own: Record<string, unknown>): Promise<void> {
    const { market, clientId, end } = this;
    const times = { iat: seconds(), exp: Math.floor(end.getTime() / 1000) };
    const payload = { kind, accountId: market.caller.account_id, clientId, ...times, ...own };
    const hash = createHash('sha256').update(id).digest();
    await market.query(INSERT_RECORD, [kind, hash, JSON.stringify(payload), grantId, end]);
  }
}

/** Registers a public client, as an assistant registers itself. */
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

import { createHash, randomBytes } from 'node:crypto';
import type { Scope } from '../../../src/modules/credentials/scope.js';

/** What one person has granted to one application; times by the wall clock. */
export interface GrantRows {
  id: string;
  accountId: string;
  clientId: string;
}

interface GrantOptions {
  scopes?: readonly Scope[];
  /** Base units; null = no cap. */
  fundingCap?: bigint | null;
  clientId?: string;
}

interface TokenOptions {
  /** `scope` of the token's payload; absent: the scopes of the grant. */
  scope?: string;
  audience?: string;
  /** Thumbprint of the key that the token is bound to. */
  jkt?: string;
  /** The library's model to which the record belongs. */
  kind?: string;
  /** The secret itself; absent: a random one, which no service recognises. */
  token?: string;
  /** Further members of the payload. */
  payload?: Record<string, unknown>;
}

type Query = (text: string, values: unknown[]) => Promise<unknown>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ALL: readonly Scope[] = ['read', 'buyer', 'worker', 'agent-owner'];

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const opaque = (): string => randomBytes(32).toString('base64url');

/** Writes grants and access tokens straight into the database, as the authorization server would leave them. */
export class AccessTokenRows {
  private readonly scopesOf = new Map<string, string>();

  constructor(
    private readonly query: Query,
    /** BASE_URL of the service. */
    private readonly audience: string,
  ) {}

  async grant(accountId: string, options: GrantOptions = {}): Promise<GrantRows> {
    const { scopes = ALL, fundingCap = null, clientId = `client-${randomBytes(6).toString('hex')}` } = options;
    const id = opaque();
    const now = new Date();
    const end = new Date(now.getTime() + 90 * DAY_MS);
    await this.query(
      `INSERT INTO oauth_grants (id, account_id, client_id, client_name, scopes, funding_cap, created_at, expires_at)
       VALUES ($1, $2, $3, 'A spec', $4, $5, $6, $7)`,
      [id, accountId, clientId, scopes, fundingCap?.toString() ?? null, now, end],
    );
    const resources = { [this.audience]: scopes.join(' ') };
    await this.record('Grant', id, { grantId: id, end, payload: { accountId, clientId, resources } });
    this.scopesOf.set(id, scopes.join(' '));
    return { id, accountId, clientId };
  }

  /** A new token under a grant, valid for 15 minutes. @returns the secret itself. */
  async token({ id, accountId, clientId }: GrantRows, options: TokenOptions = {}): Promise<string> {
    const { scope = this.scopesOf.get(id), audience = this.audience, jkt, kind = 'AccessToken' } = options;
    const token = options.token ?? opaque();
    const end = new Date(Date.now() + 15 * MINUTE_MS);
    const payload = { accountId, clientId, grantId: id, gty: 'authorization_code', scope, aud: audience, jkt };
    await this.record(kind, token, { grantId: id, end, payload: { ...payload, ...options.payload } });
    return token;
  }

  /** A grant and one token under it. */
  async issue(
    accountId: string,
    options: GrantOptions & TokenOptions = {},
  ): Promise<{ token: string; grant: GrantRows }> {
    const grant = await this.grant(accountId, options);
    return { token: await this.token(grant, options), grant };
  }

  private async record(
    kind: string,
    id: string,
    { grantId, end, payload }: { grantId: string; end: Date; payload: Record<string, unknown> },
  ): Promise<void> {
    const now = new Date();
    const times = { iat: Math.floor(now.getTime() / 1000), exp: Math.floor(end.getTime() / 1000) };
    await this.query(
      `INSERT INTO oauth_records (kind, id_hash, payload, grant_id, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [kind, sha256(id), JSON.stringify({ ...times, kind, ...payload }), grantId, now, end],
    );
  }
}

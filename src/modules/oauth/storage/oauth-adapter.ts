import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { sha256 } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { tokenChangeId } from '../../credentials/presented-token.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';
import { endGrant } from './grant-records.js';
import { errors } from '../protocol/oidc-provider.js';
import { reachable } from '../protocol/oauth-fault.js';
import * as sql from './oauth-record.sql.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';
import { ClientSecrets } from '../registration/client-secrets.js';
import { TokenLimits } from '../protocol/token-limits.js';

interface RecordRow {
  payload: AdapterPayload;
  /** Time of use, seconds since the epoch; null = not used yet. */
  consumed: number | null;
}

/** Matches JSON escapes that Postgres cannot store: the character 0 and surrogates. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Stores one kind of the library's records in Postgres. Ids are bearer secrets, so only their hash is stored; `find`
 * adds the id, which its caller knows. A record that may be used once is consumed by compare-and-set.
 */
class RecordAdapter implements Adapter {
  constructor(
    protected readonly kind: string,
    protected readonly store: OAuthRecords,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    await this.store.query(sql.UPSERT, this.values(id, payload, expiresIn));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { now, beganAt } = this.store;
    const [row] = await this.store.query<RecordRow>(sql.FIND, [this.kind, sha256(id), now, beganAt]);
    return row && payloadOf(row, id);
  }

  /** Finds a session by its uid. Its id is not known here, and the library does not need it. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.store.query<RecordRow>(sql.FIND_SESSION, [uid, this.store.now]);
    return row && payloadOf(row, undefined);
  }

  /** There is no device flow. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async consume(id: string): Promise<void> {
    const rows = await this.store.queryAndHold(sql.CONSUME, [this.kind, sha256(id), this.store.now]);
    if (rows.length === 0) throw this.alreadyUsed();
    this.store.stampAtEnd(this.kind, id);
  }

  async destroy(id: string): Promise<void> {
    await this.store.query(sql.DESTROY, [this.kind, sha256(id)]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.store.query(sql.DESTROY_OF_GRANT, [this.kind, grantId]);
  }

  protected alreadyUsed(): Error {
    return new errors.InvalidGrant('already consumed');
  }

  protected values(id: string, payload: AdapterPayload, expiresIn: number | undefined): unknown[] {
    const { now } = this.store;
    const expiresAt = expiresIn === undefined ? null : new Date(now.getTime() + expiresIn * 1000);
    const grantId = this.kind === 'Grant' ? id : (payload.grantId ?? null);
    const uid = this.kind === 'Session' ? payload.uid : null;
    const stored = storableText(this.withoutSecrets(id, payload));
    return [this.kind, sha256(id), stored, grantId, uid, payload.rotations ?? 0, now, expiresAt];
  }

  protected withoutSecrets(_id: string, { jti: _jti, ...payload }: AdapterPayload): AdapterPayload {
    return payload;
  }
}

/** Secrets of applications are stored as an HMAC; see ClientRules for the comparison. */
class ClientAdapter extends RecordAdapter {
  override find(id: string): Promise<AdapterPayload | undefined> {
    this.store.limits.assertWorthLooking('Client', id);
    return super.find(id);
  }

  protected override withoutSecrets(id: string, payload: AdapterPayload): AdapterPayload {
    return this.store.secrets.protect(id, super.withoutSecrets(id, payload));
  }
}

/**
 * Used proofs and assertions. The library first reads and then writes, so the write itself must refuse a second use.
 */
class ReplayAdapter extends RecordAdapter {
  override async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const rows = await this.store.query(sql.INSERT_ONCE, this.values(id, payload, expiresIn));
    if (rows.length === 0) throw new errors.InvalidRequest('the proof was used before');
  }
}

class InteractionAdapter extends RecordAdapter {
  /** Fails when the interaction is already gone, so that two resumptions of one answer cannot make two codes. */
  override async destroy(id: string): Promise<void> {
    const rows = await this.store.queryAndHold(sql.DESTROY, [this.kind, sha256(id)]);
    if (rows.length === 0) throw new errors.SessionNotFound('the authorization request is over');
  }

  /** Drops the session's cookie, which the library would store with the interaction but never read. */
  protected override withoutSecrets(id: string, payload: AdapterPayload): AdapterPayload {
    const { session, ...rest } = super.withoutSecrets(id, payload);
    if (session === undefined) return rest;
    const { cookie: _cookie, ...named } = session;
    return { ...rest, session: named };
  }
}

class SessionAdapter extends RecordAdapter {
  override async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    await this.store.query(sql.UPSERT_SESSION, this.values(id, payload, expiresIn));
  }
}

class PushedRequestAdapter extends RecordAdapter {
  protected override alreadyUsed(): Error {
    return new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used');
  }
}

class CodeAdapter extends RecordAdapter {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    this.store.limits.assertWorthLooking('AuthorizationCode', id);
    const found = await super.find(id);
    if (found) await this.store.limits.take(found);
    return found;
  }
}

/** Rotating tokens of public clients, with the leeway of docs/decisions/oauth.md#refresh-tokens. */
class RefreshTokenAdapter extends RecordAdapter {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const { now, beganAt, leewaySeconds, limits } = this.store;
    limits.assertWorthLooking('RefreshToken', id);
    const values = [sha256(id), now, beganAt, leewaySeconds];
    const [row] = await this.store.query<RecordRow>(sql.FIND_REFRESH_TOKEN, values);
    const found = row && payloadOf(row, id);
    if (found) await limits.take(found);
    return found;
  }

  override async consume(id: string): Promise<void> {
    const { now, leewaySeconds } = this.store;
    const values = [sha256(id), now, leewaySeconds];
    const [row] = await this.store.queryAndHold<{ is_first: boolean }>(sql.CONSUME_REFRESH_TOKEN, values);
    if (!row) throw this.alreadyUsed();
    // Only the first use sets the time, so that a retry does not extend the leeway.
    if (row.is_first) this.store.stampAtEnd(this.kind, id);
  }
}

/** Processes cache valid tokens for some seconds, so the end of a token is announced to all of them. */
class AccessTokenAdapter extends RecordAdapter {
  override async destroy(id: string): Promise<void> {
    await super.destroy(id);
    await this.store.announce(tokenChangeId(sha256(id)));
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    await super.revokeByGrantId(grantId);
    await this.store.announce(grantId);
  }
}

/** When the library destroys a grant, this service's own record of the grant ends, too. */
class GrantAdapter extends RecordAdapter {
  override async destroy(id: string): Promise<void> {
    await this.store.endGrant(id);
  }
}

const ADAPTERS: Readonly<Record<string, typeof RecordAdapter>> = {
  AccessToken: AccessTokenAdapter,
  AuthorizationCode: CodeAdapter,
  Client: ClientAdapter,
  Grant: GrantAdapter,
  Interaction: InteractionAdapter,
  PushedAuthorizationRequest: PushedRequestAdapter,
  RefreshToken: RefreshTokenAdapter,
  ReplayDetection: ReplayAdapter,
  Session: SessionAdapter,
};

/** Storage of the library's records (docs/decisions/oauth.md#records-in-postgres). */
@Injectable()
export class OAuthRecords {
  readonly leewaySeconds: number;

  constructor(
    private readonly transactions: Transactions,
    private readonly requests: OAuthRequests,
    private readonly clock: Clock,
    readonly secrets: ClientSecrets,
    readonly limits: TokenLimits,
    environment: Environment,
  ) {
    this.leewaySeconds = environment.oauthRefreshLeewaySeconds;
  }

  get now(): Date {
    return this.clock.wall();
  }

  get beganAt(): Date {
    return this.requests.beganAt;
  }

  /** Makes the adapter for one of the library's models. */
  readonly adapterOf = (kind: string): Adapter => new (ADAPTERS[kind] ?? RecordAdapter)(kind, this);

  /** Runs a statement and returns its rows, for UPDATE and DELETE those of RETURNING. @throws OAuthUnavailable. */
  query<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return reachable(() => this.requests.within(() => this.rows<Row>(statement, values)));
  }

  /** As `query`, but opens a transaction that includes the rest of the request. */
  queryAndHold<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return reachable(() => this.requests.hold(() => this.rows<Row>(statement, values)));
  }

  /** Marks an interaction as answered. Resolves to false when it was answered before. */
  async answerOnce(uid: string): Promise<boolean> {
    const rows = await this.rows(sql.CONSUME, ['Interaction', sha256(uid), this.now]);
    return rows.length > 0;
  }

  /** Sets a record's time of use to the time of the answer. */
  stampAtEnd(kind: string, id: string): void {
    this.requests.atEnd(async () => {
      await this.rows(sql.STAMP, [kind, sha256(id), this.now]);
    });
  }

  /** Replaces the stored hash of an application's secret by a new hash of the same secret. */
  async renewSecret(clientId: string, stored: string, renewed: string): Promise<void> {
    await this.query(sql.RENEW_SECRET, [sha256(clientId), stored, renewed]);
  }

  announce(changeId: string): Promise<void> {
    return reachable(() => this.requests.within(() => announceCredentialChange(this.transactions, changeId)));
  }

  /** Ends a grant for the library and records it in the audit log. */
  async endGrant(grantId: string): Promise<void> {
    const end = () => endGrant(this.transactions, grantId, this.now);
    const ended = await reachable(() => this.requests.within(end));
    if (ended && this.requests.current)
      this.requests.note({ event: 'grant_revoked', ...ended, credentialId: grantId, detail: { by: 'application' } });
  }

  private rows<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return runPrepared<Row>(this.transactions.manager, statement, values);
  }
}

/**
 * The JSON text of a payload. @throws InvalidRequest for characters that Postgres cannot store, because a caller sent
 * them.
 */
function storableText(payload: AdapterPayload): string {
  const text = JSON.stringify(payload);
  if (UNSTORABLE.test(text)) throw new errors.InvalidRequest('the request holds characters that cannot be kept');
  return text;
}

function payloadOf({ payload, consumed }: RecordRow, id: string | undefined): AdapterPayload {
  return {
    ...payload,
    ...(id === undefined ? {} : { jti: id }),
    ...(consumed === null ? {} : { consumed }),
  };
}

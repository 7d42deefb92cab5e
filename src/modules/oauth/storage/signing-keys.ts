import { generateKeyPairSync } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { calculateJwkThumbprint } from 'jose';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { announceCredentialChange } from '../../accounts/credential-changes.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { INSERT_SIGNING_KEY, LOCK_SIGNING_KEYS } from './signing-keys.sql.js';

/** Id that `CredentialChanges` reports when the signing keys have changed. */
export const SIGNING_KEYS_CHANGED = 'signing-keys';

/** A key in the library's format, with its private part `d`. */
interface SigningJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'ES256';
}

/** The valid keys at one moment. */
export interface SigningKeySet {
  /** The keys, the signing one first; never empty. */
  readonly keys: readonly [SigningJwk, ...SigningJwk[]];
  /** Time of the next scheduled change: a new key begins to sign, or an old one is dropped; null = none. */
  readonly changesAt: Date | null;
}

/** Time for which a new key is published before it signs, so that every cached copy of the key set contains it. */
const OVERLAP_MS = 15 * 60_000;
/** Time for which a key stays published after its last signature: the life of a signed token (5 minutes) and a day. */
const KEPT_MS = 86_400_000 + 5 * 60_000;
/** Advisory lock that serialises adding keys. */
const LOCK = 0x7a5c_7ee5;

/** The ES256 keys of the authorization server: in the database for all processes, sealed under APP_SECRET. */
@Injectable()
export class SigningKeys {
  private readonly logger = new Logger('credentials');

  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the key set. Makes a key when none can be opened. */
  async current(): Promise<SigningKeySet> {
    return this.setOf(await this.read(this.transactions.manager)) ?? (await this.first());
  }

  /**
   * Publishes a new key in all processes at once; it begins to sign after 15 minutes. Signatures of the old key stay
   * verifiable until they expire. Resolves to the new key's id and the time from which it signs.
   * @param auditId request id; null for the operator's command.
   * @throws ApiError `state_conflict` while another new key does not sign yet.
   */
  rotate(auditId: string | null): Promise<{ keyId: string; signsFrom: Date }> {
    return this.transactions.run(async (manager) => {
      await lock(manager);
      const now = this.clock.wall();
      const rows = await this.read(manager);
      const waiting = rows.find(({ signsFrom }) => signsFrom > now);
      if (waiting) {
        const from = waiting.signsFrom.toISOString();
        throw new ApiError('state_conflict', `A new key is published already; it signs from ${from}.`);
      }
      await this.dropStale(manager, rows, now);
      const signsFrom = new Date(now.getTime() + (this.setOf(rows) === null ? 0 : OVERLAP_MS));
      const key = await this.add(manager, now, signsFrom);
      await announceCredentialChange(this.transactions, SIGNING_KEYS_CHANGED);
      await this.audit.record({ event: 'signing_key_rotated', requestId: auditId, credentialId: key.id });
      return { keyId: key.id, signsFrom };
    });
  }

  /** Makes the first key. Of two processes that start at once, the second finds the key of the first. */
  private first(): Promise<SigningKeySet> {
    return this.transactions.run(async (manager) => {
      await lock(manager);
      const rows = await this.read(manager);
      const known = this.setOf(rows);
      if (known) return known;
      if (rows.length > 0) this.logger.warn('No signing key opens under this APP_SECRET; a new one is made');
      const now = this.clock.wall();
      const made = this.setOf([await this.add(manager, now, now)]);
      if (!made) throw new Error('A signing key that was just sealed does not open');
      return made;
    });
  }

  private read(manager: EntityManager): Promise<SigningKeyEntity[]> {
    return manager.find(SigningKeyEntity, { order: { signsFrom: 'ASC', id: 'ASC' } });
  }

  /** @param rows sorted by the time from which they sign. Returns null when none of them can be opened. */
  private setOf(rows: readonly SigningKeyEntity[]): SigningKeySet | null {
    const now = this.clock.wall();
    const opened = withoutStale(rows, now).flatMap((row) => {
      const jwk = this.open(row);
      return jwk ? [{ jwk, signsFrom: row.signsFrom }] : [];
    });
    // When this process's clock is behind, the only key may lie in the future; it is used anyway.
    const signing = opened.findLast(({ signsFrom }) => signsFrom <= now) ?? opened[0];
    if (!signing) return null;
    const others = opened.filter((each) => each !== signing).map(({ jwk }) => jwk);
    return { keys: [signing.jwk, ...others], changesAt: nextChange(rows, now) };
  }

  private async add(manager: EntityManager, createdAt: Date, signsFrom: Date): Promise<SigningKeyEntity> {
    const { x, y, d } = newKeyPair();
    const id = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y });
    const row: SigningKeyEntity = {
      id,
      publicJwk: { kty: 'EC', crv: 'P-256', x, y, kid: id, use: 'sig', alg: 'ES256' },
      privateSealed: this.sealer.seal('oauth-signing-key', Buffer.from(d, 'utf8'), id),
      createdAt,
      signsFrom,
    };
    await manager.query(INSERT_SIGNING_KEY, [row.id, row.publicJwk, row.privateSealed, createdAt, signsFrom]);
    return row;
  }

  private open({ id, publicJwk, privateSealed }: SigningKeyEntity): SigningJwk | null {
    const d = this.sealer.open('oauth-signing-key', privateSealed, id)?.toString('utf8');
    const { x, y } = publicJwk;
    if (d === undefined || typeof x !== 'string' || typeof y !== 'string') return null;
    return { kty: 'EC', crv: 'P-256', x, y, d, kid: id, use: 'sig', alg: 'ES256' };
  }

  private async dropStale(manager: EntityManager, rows: readonly SigningKeyEntity[], now: Date): Promise<void> {
    const kept = withoutStale(rows, now);
    const stale = rows.filter((row) => !kept.includes(row)).map(({ id }) => id);
    if (stale.length > 0) await manager.delete(SigningKeyEntity, stale);
  }
}

async function lock(manager: EntityManager): Promise<void> {
  await manager.query(LOCK_SIGNING_KEYS, [LOCK]);
}

/** Time at which a key is dropped, KEPT_MS after its successor began to sign. Null = it has no successor. */
function droppedAt(rows: readonly SigningKeyEntity[], position: number): Date | null {
  const successor = rows[position + 1];
  return successor ? new Date(successor.signsFrom.getTime() + KEPT_MS) : null;
}

function withoutStale(rows: readonly SigningKeyEntity[], now: Date): SigningKeyEntity[] {
  return rows.filter((_, position) => {
    const dropped = droppedAt(rows, position);
    return dropped === null || dropped > now;
  });
}

function nextChange(rows: readonly SigningKeyEntity[], now: Date): Date | null {
  const moments = rows.flatMap(({ signsFrom }, position) => [signsFrom, droppedAt(rows, position)]);
  const ahead = moments.filter((moment) => moment !== null && moment > now).map(Number);
  return ahead.length === 0 ? null : new Date(Math.min(...ahead));
}

function newKeyPair(): { x: string; y: string; d: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, d } = privateKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined || d === undefined) throw new TypeError('An EC key has no coordinates');
  return { x, y, d };
}

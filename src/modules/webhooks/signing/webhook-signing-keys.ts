import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { WebhookSigningKeyEntity } from './webhook-signing-key.entity.js';
import { LOCK_WEBHOOK_KEYS } from './webhook-signing-keys.sql.js';

/** What comes before the 32 bytes of a private key in PKCS #8 (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** Time for which a new key is published before it signs, so that receivers that keep a copy of the keys have it. */
const OVERLAP_MS = 24 * 60 * 60_000;
/** Time for which a key stays published after its last signature; receivers refuse signatures of more than five minutes. */
const KEPT_MS = 24 * 60 * 60_000;
/** Time after which a process looks whether there is another key. */
const LOOK_AGAIN_MS = 10_000;

/** The ed25519 keys that deliveries are signed with: in the database for all processes, sealed under APP_SECRET. */
@Injectable()
export class WebhookSigningKeys implements OnApplicationBootstrap {
  private readonly logger = new Logger('webhooks');
  private known: { readonly key: Promise<KeyObject>; readonly untilMs: number } | null = null;

  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** At the start, so that receivers find the key before the first delivery, and reading it makes none. */
  async onApplicationBootstrap(): Promise<void> {
    await this.current().catch((error: unknown) =>
      this.logger.warn(`The webhook key is not known yet: ${String(error)}`),
    );
  }

  /** The key that signs. Makes one when none can be opened. */
  current(): Promise<KeyObject> {
    const nowMs = this.clock.wallMs();
    if (this.known === null || nowMs >= this.known.untilMs) {
      const key = this.find();
      this.known = { key, untilMs: nowMs + LOOK_AGAIN_MS };
      key.catch(() => (this.known = null));
    }
    return this.known.key;
  }

  /** The public keys, the newest first: those of before verify what they have signed. */
  async published(): Promise<{ id: string; publicKey: Buffer }[]> {
    const rows = withoutStale(await this.read(this.transactions.manager), this.clock.wall());
    return rows.map(({ id, publicKey }) => ({ id, publicKey }));
  }

  /**
   * Publishes a new key, which begins to sign a day later, as those that keep a copy of the keys have it by then. Where the
   * key of before may be known to others it is no longer published, and the new one signs at once: within ten seconds in
   * processes that run.
   * @throws ApiError `state_conflict` while another new key does not sign yet, unless `isCompromised`.
   */
  rotate(isCompromised: boolean): Promise<{ keyId: string; signsFrom: Date }> {
    return this.transactions.run(async (manager) => {
      await manager.query(LOCK_WEBHOOK_KEYS);
      const now = this.clock.wall();
      const rows = await this.read(manager);
      const waiting = rows.length > 1 && rows[0] !== undefined && signsFrom(rows[0]) > now ? rows[0] : undefined;
      if (waiting && !isCompromised) {
        const from = signsFrom(waiting).toISOString();
        throw new ApiError('state_conflict', `A new key is published already; it signs from ${from}.`);
      }
      const kept = isCompromised ? [] : withoutStale(rows, now);
      const gone = rows.filter((row) => !kept.includes(row)).map(({ id }) => id);
      if (gone.length > 0) await manager.delete(WebhookSigningKeyEntity, gone);
      const added = await this.add(manager, now);
      await this.audit.record({ event: 'webhook_key_rotated', requestId: null, credentialId: added.id });
      return { keyId: added.id, signsFrom: this.opened(kept).length === 0 ? now : signsFrom(added) };
    });
  }

  private async find(): Promise<KeyObject> {
    return this.signing(await this.read(this.transactions.manager)) ?? this.first();
  }

  /** Makes a key. Of two processes that start at once, the second finds the key of the first. */
  private first(): Promise<KeyObject> {
    return this.transactions.run(async (manager) => {
      await manager.query(LOCK_WEBHOOK_KEYS);
      const rows = await this.read(manager);
      const known = this.signing(rows);
      if (known) return known;
      if (rows.length > 0) this.logger.warn('No webhook key opens under this APP_SECRET; a new one is made');
      const made = this.signing([await this.add(manager, this.clock.wall())]);
      if (!made) throw new Error('A webhook key that was just sealed does not open');
      return made;
    });
  }

  private async add(manager: EntityManager, createdAt: Date): Promise<WebhookSigningKeyEntity> {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
    const id = `whk_${randomBytes(8).toString('hex')}`;
    const row: WebhookSigningKeyEntity = {
      id,
      publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES),
      privateSealed: this.sealer.seal('webhook-signing-key', seed, id),
      createdAt,
    };
    await manager.insert(WebhookSigningKeyEntity, row);
    return row;
  }

  /** The newest first. */
  private read(manager: EntityManager): Promise<WebhookSigningKeyEntity[]> {
    return manager.find(WebhookSigningKeyEntity, { order: { createdAt: 'DESC', id: 'ASC' } });
  }

  /** The newest key that has been published for long enough; without one the oldest, as of a service that is new. */
  private signing(rows: readonly WebhookSigningKeyEntity[]): KeyObject | null {
    const now = this.clock.wall();
    const opened = this.opened(rows);
    return (opened.find(({ from }) => from <= now) ?? opened.at(-1))?.key ?? null;
  }

  private opened(rows: readonly WebhookSigningKeyEntity[]): { key: KeyObject; from: Date }[] {
    return rows.flatMap((row) => {
      const seed = this.sealer.open('webhook-signing-key', row.privateSealed, row.id);
      return seed ? [{ key: privateKeyOf(seed), from: signsFrom(row) }] : [];
    });
  }
}

function signsFrom({ createdAt }: WebhookSigningKeyEntity): Date {
  return new Date(createdAt.getTime() + OVERLAP_MS);
}

/** @param rows the newest first. */
function withoutStale(rows: readonly WebhookSigningKeyEntity[], now: Date): WebhookSigningKeyEntity[] {
  return rows.filter((_, place) => {
    const successor = rows[place - 1];
    return successor === undefined || signsFrom(successor).getTime() + KEPT_MS > now.getTime();
  });
}

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';
import { WebhookSigningKeyEntity } from './webhook-signing-key.entity.js';
import { LOCK_WEBHOOK_KEYS } from './webhook-signing-keys.sql.js';

/** What comes before the 32 bytes of a private key in PKCS #8 (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** The ed25519 key that every delivery is signed with: in the database for all processes, sealed under APP_SECRET. */
@Injectable()
export class WebhookSigningKeys implements OnApplicationBootstrap {
  private readonly logger = new Logger('webhooks');
  /** It never changes while the process runs. */
  private known: Promise<KeyObject> | null = null;

  constructor(
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** At the start, so that receivers find the key before the first delivery, and reading it makes none. */
  async onApplicationBootstrap(): Promise<void> {
    await this.current().catch((error: unknown) =>
      this.logger.warn(`The webhook key is not known yet: ${String(error)}`),
    );
  }

  /** The key that signs. Makes one when none can be opened. */
  current(): Promise<KeyObject> {
    this.known ??= this.find().catch((error: unknown) => {
      this.known = null;
      throw error;
    });
    return this.known;
  }

  /** The public keys, the newest first: those of before verify what they have signed. */
  async published(): Promise<{ id: string; publicKey: Buffer }[]> {
    const rows = await this.transactions.manager.find(WebhookSigningKeyEntity, {
      order: { createdAt: 'DESC', id: 'ASC' },
    });
    return rows.map(({ id, publicKey }) => ({ id, publicKey }));
  }

  private async find(): Promise<KeyObject> {
    return (await this.newest(this.transactions.manager)) ?? this.first();
  }

  /** Makes a key. Of two processes that start at once, the second finds the key of the first. */
  private first(): Promise<KeyObject> {
    return this.transactions.run(async (manager) => {
      await manager.query(LOCK_WEBHOOK_KEYS);
      const known = await this.newest(manager);
      if (known) return known;
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
      const shown = publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
      const id = `whk_${randomBytes(8).toString('hex')}`;
      await manager.insert(WebhookSigningKeyEntity, {
        id,
        publicKey: shown,
        privateSealed: this.sealer.seal('webhook-signing-key', seed, id),
        createdAt: this.clock.wall(),
      });
      return privateKey;
    });
  }

  private async newest(manager: EntityManager): Promise<KeyObject | null> {
    const rows = await manager.find(WebhookSigningKeyEntity, { order: { createdAt: 'DESC', id: 'ASC' } });
    for (const { id, privateSealed } of rows) {
      const seed = this.sealer.open('webhook-signing-key', privateSealed, id);
      if (seed) return privateKeyOf(seed);
    }
    if (rows.length > 0) this.logger.warn('No webhook key opens under this APP_SECRET; a new one is made');
    return null;
  }
}

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Hex } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { ObjectStore, type OpenObject } from '../../../platform/storage/object-store.js';
import { Clock } from '../../../platform/time/clock.js';
import { CustodyQuota } from './custody-quota.js';
import { CustodyReceipts } from './custody-receipts.js';
import { FIND, KEEP, KEEP_UNTIL, LOCK_TO_BRING } from './custody.sql.js';
import { excerptBytes, excerptText } from './excerpt.js';
import { objectKeyOf } from './object-key.js';
import type { ReceivedArtifact } from './received-artifact.js';

/** What is known of an artifact in custody. */
export interface CustodyFacts {
  readonly bytes: number;
  /** As the account that brought it declared it: any `type/subtype`. */
  readonly mediaType: string;
}

/** The proof that an artifact was brought, and until when it is kept without a delivery. */
export interface GivenCustody {
  readonly receipt: string;
  readonly keptUntil: Date;
}

interface CustodyRow {
  /** `bigint`, which pg hands over as text. */
  bytes: string;
  media_type: string;
}

/** The artifacts that this service keeps: who brought which, and their bytes. */
@Injectable()
export class Custody {
  constructor(
    private readonly transactions: Transactions,
    private readonly store: ObjectStore,
    private readonly receipts: CustodyReceipts,
    private readonly quota: CustodyQuota,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes received bytes into the account's custody, and gives the receipt for them. That they may be in another's
   * already changes neither the answer nor the work. The same bytes again are kept longer.
   * @throws ApiError `quota_exceeded`; StorageUnavailableError.
   */
  take(accountId: string, artifact: ReceivedArtifact): Promise<GivenCustody> {
    return this.transactions.run((manager) => this.takeIn(manager, accountId, artifact));
  }

  private async takeIn(manager: EntityManager, accountId: string, artifact: ReceivedArtifact): Promise<GivenCustody> {
    const { artifactHash, bytes, mediaType, staged } = artifact;
    const now = this.clock.now();
    const until = this.keptFrom(now);
    await this.quota.hold(manager, accountId, artifactHash, bytes);
    await manager.query(LOCK_TO_BRING, [artifactHash]);
    const [row] = await manager.query<{ kept_until: Date }[]>(KEEP, [
      accountId,
      artifactHash,
      bytes,
      mediaType,
      now,
      until,
    ]);
    // Last: of all that the transaction does, only this cannot be undone. Bytes without a row are nobody's.
    await staged.publish();
    return { receipt: this.receipts.issue(accountId, artifactHash, bytes), keptUntil: row?.kept_until ?? until };
  }

  /**
   * Keeps an artifact for a delivery that can be executed until then, and its time in custody longer. In the caller's
   * transaction: from here on it is not deleted before.
   * @returns false when it is not in the account's custody any more.
   */
  async keepFor(manager: EntityManager, accountId: string, artifactHash: Hex, validUntil: Date): Promise<boolean> {
    const values = [accountId, artifactHash.toLowerCase(), this.keptFrom(validUntil)];
    const [rows] = await manager.query<[unknown[], number]>(KEEP_UNTIL, values);
    return rows.length > 0;
  }

  /**
   * What a custody receipt proves: that this account brought this artifact here, and that it is still here. Null when it
   * is not ours, another account's or another artifact's, or when the artifact is gone: no difference is told.
   * @throws StorageUnavailableError.
   */
  async verifyReceipt(accountId: string, artifactHash: Hex, receipt: string): Promise<{ bytes: number } | null> {
    if (this.receipts.open(accountId, artifactHash, receipt) === null) return null;
    const facts = await this.statusOf(accountId, artifactHash);
    return facts && { bytes: facts.bytes };
  }

  /**
   * The artifact that this account brought; null when it did not, or when the bytes are gone.
   * @throws StorageUnavailableError.
   */
  async statusOf(accountId: string, artifactHash: Hex): Promise<CustodyFacts | null> {
    const values = [accountId, artifactHash.toLowerCase()];
    const [row] = await runPrepared<CustodyRow>(this.transactions.manager, FIND, values);
    if (!row) return null;
    const bytes = await this.store.sizeOf(objectKeyOf(artifactHash));
    return bytes === Number(row.bytes) ? { bytes, mediaType: row.media_type } : null;
  }

  /**
   * The whole artifact, whoever brought it: who asks has been allowed to. Null when it is not in the store.
   * @throws StorageUnavailableError.
   */
  openArtifact(artifactHash: Hex): Promise<OpenObject | null> {
    return this.store.open(objectKeyOf(artifactHash));
  }

  /**
   * The bounded beginning that may be shown before the release (excerpt.ts); null when it is no text, or too short for one.
   * @throws StorageUnavailableError.
   */
  async excerptOf(artifactHash: Hex, bytes: number): Promise<string | null> {
    const length = excerptBytes(bytes);
    if (length === 0) return null;
    const object = await this.store.open(objectKeyOf(artifactHash), length);
    return object && excerptText(await beginningOf(object, length));
  }

  private keptFrom(time: Date): Date {
    return new Date(time.getTime() + this.environment.quotaCustodySeconds * 1000);
  }
}

async function beginningOf({ stream }: OpenObject, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  // A store that knows no ranges sends all of it.
  return Buffer.concat(chunks).subarray(0, length);
}

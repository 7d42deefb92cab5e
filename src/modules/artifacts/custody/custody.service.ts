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

/** Size and declared type of an artifact in custody. */
export interface CustodyFacts {
  readonly bytes: number;
  /** Media type that the uploading account declared: any `type/subtype`. */
  readonly mediaType: string;
}

/** The receipt for an uploaded artifact, and the end of its custody without a delivery. */
export interface GivenCustody {
  readonly receipt: string;
  readonly keptUntil: Date;
}

interface CustodyRow {
  /** `bigint`, which pg hands over as text. */
  bytes: string;
  media_type: string;
}

/** Keeps artifacts: records which account uploaded which, and reads their bytes from the store. */
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
   * Takes received bytes into the account's custody and returns the receipt. Neither the answer nor the work tells
   * whether another account has the same bytes. Uploading the same bytes again extends their custody.
   * @throws ApiError `quota_exceeded`; StorageUnavailableError.
   */
  take(accountId: string, artifact: ReceivedArtifact): Promise<GivenCustody> {
    return this.transactions.run((manager) => this.takeIn(manager, accountId, artifact));
  }

  private async takeIn(manager: EntityManager, accountId: string, artifact: ReceivedArtifact): Promise<GivenCustody> {
    const { artifactHash, bytes, mediaType } = artifact;
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
    // This comes last, because it is the only step that a rollback cannot undo: what it leaves is removed when the
    // request ends, else by unheld-objects.sweeper.ts.
    artifact.isBrought = true;
    await artifact.staged.publish();
    return { receipt: this.receipts.issue(accountId, artifactHash, bytes), keptUntil: row?.kept_until ?? until };
  }

  /**
   * Keeps an artifact for a delivery that can be executed until `validUntil`: extends its custody to
   * QUOTA_CUSTODY_SECONDS after that time, in the caller's transaction.
   * @returns false when the artifact is no longer in the account's custody.
   */
  async keepFor(manager: EntityManager, accountId: string, artifactHash: Hex, validUntil: Date): Promise<boolean> {
    const values = [accountId, artifactHash.toLowerCase(), this.keptFrom(validUntil)];
    const [rows] = await manager.query<[unknown[], number]>(KEEP_UNTIL, values);
    return rows.length > 0;
  }

  /**
   * Verifies that a receipt was issued to this account for this artifact, and that the artifact is still here. Returns
   * its size, or null in every other case, without telling which.
   * @throws StorageUnavailableError.
   */
  async verifyReceipt(accountId: string, artifactHash: Hex, receipt: string): Promise<{ bytes: number } | null> {
    if (this.receipts.open(accountId, artifactHash, receipt) === null) return null;
    const facts = await this.statusOf(accountId, artifactHash);
    return facts && { bytes: facts.bytes };
  }

  /**
   * Returns the facts of an artifact that this account uploaded; null when it did not, or when the bytes are gone.
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
   * Opens the whole artifact, whichever account uploaded it; the caller has checked the reader's right. Null when the
   * store does not have it.
   * @throws StorageUnavailableError.
   */
  openArtifact(artifactHash: Hex): Promise<OpenObject | null> {
    return this.store.open(objectKeyOf(artifactHash));
  }

  /**
   * Returns the beginning that may be shown before the release (excerpt.ts); null when the artifact is not text or too
   * short for an excerpt.
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
  // A store without range requests sends the whole object.
  return Buffer.concat(chunks).subarray(0, length);
}

import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { type PreparedStatement, runPrepared, Transactions } from '../../platform/database/transactions.js';
import { ObjectStore, type OpenObject } from '../../platform/storage/object-store.js';
import { Clock } from '../../platform/time/clock.js';
import { ArtifactCustodyEntity } from './artifact-custody.entity.js';
import { CustodyReceipts } from './custody-receipts.js';
import { excerptBytes, excerptText } from './excerpt.js';
import { objectKeyOf } from './object-key.js';
import type { ReceivedArtifact } from './received-artifact.js';

/** What is known of an artifact in custody. */
export interface CustodyFacts {
  readonly bytes: number;
  /** As the account that brought it declared it: any `type/subtype`. */
  readonly mediaType: string;
}

const FIND: PreparedStatement = {
  name: 'custody-of',
  text: 'SELECT bytes, media_type FROM artifact_custody WHERE account_id = $1 AND artifact_hash = $2',
};

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
    private readonly clock: Clock,
  ) {}

  /**
   * Takes received bytes into the account's custody, and gives the receipt for them. That they may be in another's
   * already changes neither the answer nor the work.
   * @throws StorageUnavailableError.
   */
  async take(accountId: string, artifact: ReceivedArtifact): Promise<string> {
    const { artifactHash, bytes, mediaType, staged } = artifact;
    const row = { accountId, artifactHash, bytes, mediaType, createdAt: this.clock.now() };
    await this.transactions.manager
      .createQueryBuilder()
      .insert()
      .into(ArtifactCustodyEntity)
      .values(row)
      .orIgnore()
      .execute();
    // Last: of all that the transaction does, only this cannot be undone. Bytes without a row are nobody's.
    await staged.publish();
    return this.receipts.issue(accountId, artifactHash, bytes);
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
}

async function beginningOf({ stream }: OpenObject, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  // A store that knows no ranges sends all of it.
  return Buffer.concat(chunks).subarray(0, length);
}

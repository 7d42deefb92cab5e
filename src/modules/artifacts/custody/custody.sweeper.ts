import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Hex } from '#libs/kernel';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { StorageUnavailableError } from '../../../platform/storage/storage-unavailable.error.js';
import { Clock } from '../../../platform/time/clock.js';
import {
  ANYBODY_HAS,
  DELETE_OVER,
  DELIVERED_BATCH,
  FIRST_OVER,
  KEEP_DELIVERED,
  LOCK_TO_DELETE,
  OVER_HASHES,
  type OverArtifact,
} from './custody.sql.js';
import { objectKeyOf } from './object-key.js';

const BATCH = 100;
/** Time after which an artifact with a delivery is checked again. */
const DELIVERED_MS = 30 * 86_400_000;
/** Artifacts that may fail in one round: with the store away, all would. */
const MOST_FAILED = 10;

/**
 * Ends custody that no delivery needs: deletes the rows, and the object with its last row. The object is removed before
 * that transaction commits. A process that dies in between leaves rows without an object, which count as gone and are
 * deleted in the next round, but never an object without a row.
 *
 * An artifact whose object cannot be removed keeps its rows, is counted, and is tried again in a later round. It holds up
 * no other: the round after one that too many failures have ended begins behind them.
 */
@Injectable()
export class CustodySweeper extends ExpiredRowsSweeper {
  private readonly failures = new Logger('artifacts');
  /** The artifact behind which a round goes on. */
  private last = FIRST_OVER;

  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly store: ObjectStore,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {
    super(dataSource, 'artifacts', 'artifacts without a delivery');
  }

  /** Returns the number of expired artifacts that were processed. */
  override async sweep(): Promise<number> {
    const again = new Date(this.clock.nowMs() + DELIVERED_MS);
    await this.changeAll(KEEP_DELIVERED, [this.clock.now(), again], DELIVERED_BATCH);
    let [looked, failed] = [0, 0];
    for (let batch = BATCH; batch === BATCH;) {
      const over = await this.overBehind(this.last);
      for (const artifact of over) {
        if (this.isEnding || failed === MOST_FAILED) return looked;
        if (!(await this.hasEnded(artifact.hash))) failed += 1;
        this.last = artifact;
        looked += 1;
      }
      batch = over.length;
    }
    this.last = FIRST_OVER;
    return looked;
  }

  private overBehind({ since, hash }: OverArtifact): Promise<OverArtifact[]> {
    return this.transactions.manager.query<OverArtifact[]>(OVER_HASHES, [this.clock.now(), BATCH, since, hash]);
  }

  /** False when its custody could not be ended, which changed nothing. */
  private async hasEnded(hash: Hex): Promise<boolean> {
    try {
      await this.end(hash);
      return true;
    } catch (error) {
      this.metrics.countFailedRemoval();
      const reason = error instanceof StorageUnavailableError ? error.cause : error;
      this.failures.warn(`The artifact ${hash} cannot be removed, and is tried again: ${String(reason)}`);
      return false;
    }
  }

  private async end(hash: Hex): Promise<void> {
    await this.transactions.run(async (manager) => {
      await manager.query(LOCK_TO_DELETE, [hash]);
      const [, deleted] = await manager.query<[unknown[], number]>(DELETE_OVER, [this.clock.now(), hash]);
      if (deleted === 0) return;
      const others = await manager.query<unknown[]>(ANYBODY_HAS, [hash]);
      if (others.length === 0) await this.store.remove(objectKeyOf(hash));
    });
  }
}

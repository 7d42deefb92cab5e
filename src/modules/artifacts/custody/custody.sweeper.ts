import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Hex } from '#libs/kernel';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { Clock } from '../../../platform/time/clock.js';
import {
  ANYBODY_HAS,
  DELETE_OVER,
  DELIVERED_BATCH,
  KEEP_DELIVERED,
  LOCK_TO_DELETE,
  OVER_HASHES,
} from './custody.sql.js';
import { objectKeyOf } from './object-key.js';

const BATCH = 100;
/** Time after which an artifact with a delivery is checked again. */
const DELIVERED_MS = 30 * 86_400_000;

/**
 * Ends custody that no delivery needs: deletes the rows, and the object with its last row. The object is removed before
 * that transaction commits. A process that dies in between leaves rows without an object, which count as gone and are
 * deleted in the next round, but never an object without a row.
 */
@Injectable()
export class CustodySweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'artifacts', 'artifacts without a delivery');
  }

  /** Returns the number of expired artifacts that were processed. */
  override async sweep(): Promise<number> {
    const again = new Date(this.clock.nowMs() + DELIVERED_MS);
    await this.changeAll(KEEP_DELIVERED, [this.clock.now(), again], DELIVERED_BATCH);
    let looked = 0;
    for (let batch = BATCH; batch === BATCH; looked += batch) {
      const over = await this.transactions.manager.query<{ artifact_hash: Hex }[]>(OVER_HASHES, [
        this.clock.now(),
        BATCH,
      ]);
      for (const { artifact_hash: hash } of over) await this.end(hash);
      batch = over.length;
    }
    return looked;
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

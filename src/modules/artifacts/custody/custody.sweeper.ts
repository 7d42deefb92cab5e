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
/** How long an artifact that a delivery needs is not looked at again. */
const DELIVERED_MS = 30 * 86_400_000;

/**
 * Ends custody that no delivery needs: the rows, and the object once nobody has it any more. The object goes first, in the
 * transaction that deletes its last row. A process that dies in between leaves rows without an object, which count as
 * gone and are deleted by the next round; never an object that no row leads to.
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

  /** Returns how many artifacts were looked at. */
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

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { DELETE_UNUSED, TRY_TO_DELETE_TERMS, UNUSED_BATCH } from './statements/match-terms.sql.js';

/**
 * Deletes words that no agent and no settled brief has any more, so that repeated changes of texts do not fill the
 * table.
 */
@Injectable()
export class UnusedTermsSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {
    super(dataSource, 'matching', 'unused words');
  }

  /**
   * Deletes unused words and returns their number. Stops while postings are being written; the next round continues.
   */
  override async sweep(): Promise<number> {
    let deleted = 0;
    for (let batch = UNUSED_BATCH; batch === UNUSED_BATCH; deleted += batch) batch = await this.deleteBatch();
    return deleted;
  }

  private deleteBatch(): Promise<number> {
    return this.transactions.run(async (manager) => {
      const [lock] = await manager.query<{ is_ours: boolean }[]>(TRY_TO_DELETE_TERMS);
      if (lock?.is_ours !== true) return 0;
      // A separate statement, so that it sees everything that writers committed before the lock.
      const [, deleted] = await manager.query<[unknown[], number]>(DELETE_UNUSED);
      return deleted;
    });
  }
}

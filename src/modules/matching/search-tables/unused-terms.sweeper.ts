import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { DELETE_UNUSED, TRY_TO_DELETE_TERMS, UNUSED_BATCH } from './term-ids.js';

/** Deletes words that no agent and no settled brief has any more: whoever changes texts again and again leaves none. */
@Injectable()
export class UnusedTermsSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {
    super(dataSource, 'matching', 'unused words');
  }

  /** Does nothing in a moment in which words are being written: the next round is soon enough. */
  override async sweep(): Promise<number> {
    let deleted = 0;
    for (let batch = UNUSED_BATCH; batch === UNUSED_BATCH; deleted += batch) batch = await this.deleteBatch();
    return deleted;
  }

  private deleteBatch(): Promise<number> {
    return this.transactions.run(async (manager) => {
      const [lock] = await manager.query<{ is_ours: boolean }[]>(TRY_TO_DELETE_TERMS);
      if (lock?.is_ours !== true) return 0;
      // By a statement of its own: it sees what every writer before the lock has committed.
      const [, deleted] = await manager.query<[unknown[], number]>(DELETE_UNUSED);
      return deleted;
    });
  }
}

import { Injectable } from '@nestjs/common';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { passedEverywhere } from '../../../platform/time/passed-moment.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import { ACCOUNTS_WITH_DUE_NODES, LOCK_ACCOUNT, REFRESH_DUE_NODES } from './earnings-sweeper.sql.js';

const INTERVAL_MS = 2_000;

/**
 * Stores the earnings of nodes whose time limits have passed, so that readers compute few of them anew. Answers are the
 * same without it.
 */
@Injectable()
export class EarningsSweeper extends RegularWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super('earnings', INTERVAL_MS, 'Earnings that time has moved are not written down');
  }

  /** Stores every due node, except for accounts that are locked. Returns the number of nodes. */
  override async sweep(): Promise<number> {
    const moment = passedEverywhere(this.clock);
    let swept = 0;
    for (let round = 1; round > 0 && !this.isEnding; swept += round) {
      round = 0;
      const accounts = await runPrepared<{ account_id: string }>(this.transactions.manager, ACCOUNTS_WITH_DUE_NODES, [
        moment,
      ]);
      for (const { account_id: accountId } of accounts) round += await this.sweepAccount(accountId, moment);
    }
    return swept;
  }

  /** Handles one account per transaction, because holding one account while waiting for another could deadlock. */
  private sweepAccount(accountId: string, moment: Date): Promise<number> {
    return this.transactions.run(async (manager) => {
      const held = await runPrepared(manager, LOCK_ACCOUNT, [accountId]);
      if (held.length === 0) return 0;
      const [done] = await runPrepared<{ nodes: number }>(manager, REFRESH_DUE_NODES, [accountId, moment]);
      return done?.nodes ?? 0;
    });
  }
}

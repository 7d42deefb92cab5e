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

  /**
   * Stores every due node, except for accounts that are locked. Returns the number of nodes. An account whose nodes cannot
   * be stored holds up no other: its error is thrown once all were tried.
   */
  override async sweep(): Promise<number> {
    const moment = passedEverywhere(this.clock);
    const left: string[] = [];
    const errors: unknown[] = [];
    let swept = 0;
    let accounts = await this.accountsDue(moment, left);
    while (accounts.length > 0 && !this.isEnding) {
      for (const accountId of accounts) {
        const nodes = await this.sweepAccount(accountId, moment).catch((error: unknown) => {
          errors.push(error);
          return 0;
        });
        swept += nodes;
        if (nodes > 0) continue;
        left.push(accountId);
        break;
      }
      // Asked again after each that is left, so that a database that has gone away ends the round.
      accounts = await this.accountsDue(moment, left);
    }
    if (errors.length > 0) throw errors[0];
    return swept;
  }

  /** Ids of accounts with due nodes, without those of `left`. */
  private async accountsDue(moment: Date, left: readonly string[]): Promise<string[]> {
    const values = [moment, left];
    const rows = await runPrepared<{ account_id: string }>(this.transactions.manager, ACCOUNTS_WITH_DUE_NODES, values);
    return rows.map(({ account_id: accountId }) => accountId);
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

import { Injectable } from '@nestjs/common';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { RegularWork } from '../../../platform/time/regular-work.js';

const INTERVAL_MS = 2_000;
/**
 * Most by which another process's clock may be behind this one's. Earnings stored for a moment are wrong before that
 * moment, so the sweeper stays this much behind.
 */
const MARGIN_MS = 5_000;
/** Due nodes that one search for accounts examines; BATCH: nodes of one account that one transaction writes. */
const LOOKED_AT = 1_000;
const BATCH = 500;

/** $1 moment. */
const ACCOUNTS: PreparedStatement = {
  name: 'earnings_due_accounts',
  text: `SELECT DISTINCT account_id FROM (
      SELECT account_id FROM node_earnings WHERE next_at < $1 ORDER BY next_at LIMIT ${LOOKED_AT}
    ) AS due ORDER BY account_id`,
};

/**
 * $1 account. The indexer holds this row while it writes a block with the account's nodes; the next round then takes
 * the account.
 */
const LOCK: PreparedStatement = {
  name: 'earnings_lock_account',
  text: 'SELECT account_id FROM account_earnings WHERE account_id = $1 FOR UPDATE SKIP LOCKED',
};

/** $1 account, $2 moment. A separate statement after the lock, so that it sees what the previous holder has written. */
const REFRESH: PreparedStatement = {
  name: 'earnings_refresh',
  text: `WITH due AS MATERIALIZED (
      SELECT array_agg(node_id) AS ids FROM (
        SELECT node_id FROM node_earnings WHERE account_id = $1 AND next_at < $2 ORDER BY next_at LIMIT ${BATCH}
      ) AS node
    )
    SELECT refresh_node_earnings(ids, $2), cardinality(ids) AS nodes FROM due WHERE ids IS NOT NULL`,
};

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
    const moment = new Date(this.clock.nowSeconds() * 1_000 - MARGIN_MS);
    let swept = 0;
    for (let round = 1; round > 0 && !this.isEnding; swept += round) {
      round = 0;
      const accounts = await runPrepared<{ account_id: string }>(this.transactions.manager, ACCOUNTS, [moment]);
      for (const { account_id: accountId } of accounts) round += await this.sweepAccount(accountId, moment);
    }
    return swept;
  }

  /** Handles one account per transaction, because holding one account while waiting for another could deadlock. */
  private sweepAccount(accountId: string, moment: Date): Promise<number> {
    return this.transactions.run(async (manager) => {
      const held = await runPrepared(manager, LOCK, [accountId]);
      if (held.length === 0) return 0;
      const [done] = await runPrepared<{ nodes: number }>(manager, REFRESH, [accountId, moment]);
      return done?.nodes ?? 0;
    });
  }
}

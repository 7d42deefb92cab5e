import { Injectable } from '@nestjs/common';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { RegularWork } from '../../../platform/time/regular-work.js';

const INTERVAL_MS = 2_000;
/** So long nobody else's clock may be behind this one's: what is written down for a moment is wrong before it. */
const MARGIN_MS = 5_000;
/** Due nodes that one look for accounts goes through, and nodes of one account that one transaction writes. */
const LOOKED_AT = 1_000;
const BATCH = 500;

/** $1 moment. */
const ACCOUNTS: PreparedStatement = {
  name: 'earnings_due_accounts',
  text: `SELECT DISTINCT account_id FROM (
      SELECT account_id FROM node_earnings WHERE next_at < $1 ORDER BY next_at LIMIT ${LOOKED_AT}
    ) AS due ORDER BY account_id`,
};

/** $1 account. Whoever indexes its nodes holds the row until the block is written: then the next round has its turn. */
const LOCK: PreparedStatement = {
  name: 'earnings_lock_account',
  text: 'SELECT account_id FROM account_earnings WHERE account_id = $1 FOR UPDATE SKIP LOCKED',
};

/** $1 account, $2 moment. A statement of its own, so that it sees what the holder before has written. */
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
 * Writes down what time has made of the worth of nodes, so that readers make little of it anew. What they answer is the
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

  /** Writes down every node that is due, but for those of accounts that others hold; returns how many nodes. */
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

  /** One account a transaction: who holds one and waits for another could be waited for. */
  private sweepAccount(accountId: string, moment: Date): Promise<number> {
    return this.transactions.run(async (manager) => {
      const held = await runPrepared(manager, LOCK, [accountId]);
      if (held.length === 0) return 0;
      const [done] = await runPrepared<{ nodes: number }>(manager, REFRESH, [accountId, moment]);
      return done?.nodes ?? 0;
    });
  }
}

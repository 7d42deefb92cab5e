import { Injectable } from '@nestjs/common';
import { runPrepared, Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { RegularWork } from '../../platform/time/regular-work.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { TELL_EXPIRED } from './quote-expiry.sql.js';
import { type ToldRow, toldQuote } from './quote-projection.sql.js';
import { quoteEvent } from './quote/quote-event.js';

const INTERVAL_MS = 2_000;
/** Offers that one transaction tells of. */
const BATCH = 200;

/**
 * Records that offers have expired, which no row says: lists show an offer whose time is over as expired. Each is told
 * once, also after a downtime.
 */
@Injectable()
export class QuoteExpirySweeper extends RegularWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super('quotes', INTERVAL_MS, 'That some quotes have expired is not told');
  }

  /** Records the events of all offers that have expired, in batches; returns how many. */
  override async sweep(): Promise<number> {
    let told = 0;
    for (let batch = BATCH; batch === BATCH && !this.isEnding; told += batch) batch = await this.tellBatch();
    return told;
  }

  private tellBatch(): Promise<number> {
    return this.transactions.run(async (manager) => {
      const now = this.clock.now();
      const rows = await runPrepared<ToldRow>(manager, TELL_EXPIRED, [now, BATCH]);
      await recordEvents(
        manager,
        rows.map((row) => quoteEvent(toldQuote(row), 'submitted', 'expired', now)),
      );
      return rows.length;
    });
  }
}

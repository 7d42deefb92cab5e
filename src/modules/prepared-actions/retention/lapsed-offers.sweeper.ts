import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_OVER_QUOTES, OVER_QUOTES_BATCH } from './over-quotes.sql.js';
import { DELETE_UNPAID, UNPAID_BATCH } from './unpaid-tasks.sql.js';

const DAY_MS = 86_400_000;
/** Time for which an ended offer, or a task whose time for offers is over, is kept when nobody has signed it. */
const UNSIGNED_KEPT_MS = DAY_MS;
/** The same for a signed offer that nobody accepted, and for a signed task that nobody paid for. */
const SIGNED_KEPT_MS = 30 * DAY_MS;

/**
 * Deletes what was offered and came to nothing: quotes that nobody accepted or can accept any more, and tasks that are not
 * on the chain and can no longer get there, because every signature for them has expired. Both are over by this service's
 * clock and by the time of the newest indexed block.
 */
@Injectable()
export class LapsedOffersSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'quotes and tasks', 'quotes and tasks that nobody has paid for');
  }

  override async sweep(): Promise<number> {
    const nowMs = this.clock.nowMs();
    const keptSince = [new Date(nowMs - UNSIGNED_KEPT_MS), new Date(nowMs - SIGNED_KEPT_MS)];
    let changed = 0;
    // One after the other: the end of a task takes its offers and parties with it, so that together they could wait for
    // each other in a circle. Neither waits for the other's next round when that one fails.
    try {
      changed += await this.changeAll(DELETE_OVER_QUOTES, keptSince, OVER_QUOTES_BATCH);
    } finally {
      changed += await this.changeAll(DELETE_UNPAID, keptSince, UNPAID_BATCH);
    }
    return changed;
  }
}

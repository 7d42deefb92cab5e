import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_OVER_QUOTES, OVER_QUOTES_BATCH } from './over-quotes.sql.js';

const DAY_MS = 86_400_000;
/** Time for which an ended offer is kept: unsigned offers, and signed offers that nobody accepted. */
const UNSIGNED_KEPT_MS = DAY_MS;
const SIGNED_KEPT_MS = 30 * DAY_MS;

/**
 * Deletes offers that nobody accepted and nobody can accept any more, both by this service's clock and by the time of
 * the newest indexed block.
 */
@Injectable()
export class OverQuotesSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'quotes', 'quotes');
  }

  override sweep(): Promise<number> {
    const nowMs = this.clock.nowMs();
    return this.changeAll(
      DELETE_OVER_QUOTES,
      [new Date(nowMs - UNSIGNED_KEPT_MS), new Date(nowMs - SIGNED_KEPT_MS)],
      OVER_QUOTES_BATCH,
    );
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { SETTLE, SETTLED_AT_ONCE } from './spending.sql.js';

/** Ends the reservations of payments that are over, so that a policy is never checked against many. */
@Injectable()
export class SpendReservationsSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'spend-reservations', 'reservations of payments');
  }

  override sweep(): Promise<number> {
    return this.changeAll(SETTLE, [this.clock.now()], SETTLED_AT_ONCE);
  }
}

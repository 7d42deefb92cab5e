import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_UNUSED } from './unused-policies.sql.js';

/** Each round reads the whole table, for what has been over for a month. */
const EVERY_MS = 3_600_000;

/** A consent writes a policy anew at its moment; one that is older is not about to be used again. */
const CONSENT_MS = 60_000;

/** Deletes the policies of keys and applications that were themselves deleted, a month after their end. */
@Injectable()
export class SpendPoliciesSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'spend-policies', 'spend policies', EVERY_MS);
  }

  override sweep(): Promise<number> {
    return this.deleteAll(DELETE_UNUSED, new Date(this.clock.wallMs() - CONSENT_MS));
  }
}

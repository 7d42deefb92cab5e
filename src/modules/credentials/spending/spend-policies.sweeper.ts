import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_UNUSED } from './unused-policies.sql.js';

/** A policy is older than this before it can be unused: its key or its grant is written a moment after it. */
const NEW_MS = 3_600_000;

/** Deletes the policies of keys and applications that were themselves deleted, a month after their end. */
@Injectable()
export class SpendPoliciesSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'spend-policies', 'spend policies');
  }

  override sweep(): Promise<number> {
    return this.deleteAll(DELETE_UNUSED, new Date(this.clock.wallMs() - NEW_MS));
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../database/expired-rows.sql.js';
import { ExpiredRowsSweeper } from '../database/expired-rows.sweeper.js';
import { Clock } from '../time/clock.js';

const RECORDS = deleteBatch('idempotency_records', 'scope_hash');

/** Deletes records past their retention (docs/decisions/http.md#idempotency-keys). */
@Injectable()
export class IdempotencySweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'idempotency', 'idempotency records');
  }

  override sweep(): Promise<number> {
    return this.deleteAll(RECORDS, this.clock.now());
  }
}

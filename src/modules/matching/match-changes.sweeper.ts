import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch, ExpiredRowsSweeper } from '../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../platform/time/clock.js';

/** How long a reader may fall behind before it has to load everything anew. (policy) */
export const CHANGES_KEPT_MS = 3_600_000;

const CHANGES = deleteBatch('match_changes', 'seq', 'created_at <= $1', 'created_at');

/** Deletes changes that every index in memory has seen, or is too late for. */
@Injectable()
export class MatchChangesSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'matching', 'changes of matches');
  }

  override sweep(): Promise<number> {
    return this.deleteAll(CHANGES, new Date(this.clock.nowMs() - CHANGES_KEPT_MS));
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../../../platform/database/expired-rows.sql.js';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { IS_OVER } from './statements/match-changes.sql.js';

/** Time for which changes are kept. A reader that falls further behind must load everything anew. (policy) */
export const CHANGES_KEPT_MS = 3_600_000;

const CHANGES = deleteBatch('match_changes', 'seq', IS_OVER, 'created_at');

/** Deletes changes that are in the rows of `match_agents` and older than CHANGES_KEPT_MS. */
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

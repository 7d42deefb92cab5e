import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_UNPAID, UNPAID_BATCH } from './unpaid-tasks.sql.js';

const DAY_MS = 86_400_000;
/** How long a task is kept after its `offersUntil`: an unsigned draft, and an unpaid task. */
const DRAFT_KEPT_MS = DAY_MS;
const UNPAID_KEPT_MS = 30 * DAY_MS;

/**
 * Deletes tasks that are not on the chain and can no longer get there, because every signature for them has expired: by
 * this server's clock and by the time of the newest indexed block.
 */
@Injectable()
export class UnpaidTasksSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'tasks', 'tasks that nobody has paid for');
  }

  override sweep(): Promise<number> {
    const nowMs = this.clock.nowMs();
    return this.changeAll(
      DELETE_UNPAID,
      [new Date(nowMs - DRAFT_KEPT_MS), new Date(nowMs - UNPAID_KEPT_MS)],
      UNPAID_BATCH,
    );
  }
}

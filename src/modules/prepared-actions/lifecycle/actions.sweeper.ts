import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { ACTIONS_BATCH, DELETE_SIGNED, DELETE_UNSIGNED, KEEP_EXECUTED } from '../action/action-bounds.sql.js';

const DAY_MS = 86_400_000;
/** Time for which an action stays after its last second: one that nobody signed, and one that was signed in vain. */
const UNSIGNED_KEPT_MS = DAY_MS;
const SIGNED_KEPT_MS = 30 * DAY_MS;
/** How often all actions whose last second has passed are checked for an execution, not only the latest. */
const FULL_LOOK_MS = 3_600_000;

/**
 * Deletes actions that were never executed and can no longer be, both by this service's clock and by the time of the
 * newest indexed block. Actions that the chain has executed are kept for good.
 */
@Injectable()
export class ActionsSweeper extends ExpiredRowsSweeper {
  private lookedAtAllMs = 0;

  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'actions', 'prepared actions');
  }

  override async sweep(): Promise<number> {
    const nowMs = this.clock.nowMs();
    // Nearly all actions are executed within minutes; the hourly check finds those that were indexed or marked late.
    const isFull = nowMs - this.lookedAtAllMs >= FULL_LOOK_MS;
    if (isFull) this.lookedAtAllMs = nowMs;
    const since = new Date(isFull ? 0 : nowMs - 2 * FULL_LOOK_MS);
    for (const statement of KEEP_EXECUTED) await this.changeAll(statement, [new Date(nowMs), since], ACTIONS_BATCH);
    const unsigned = await this.changeAll(DELETE_UNSIGNED, [new Date(nowMs - UNSIGNED_KEPT_MS)], ACTIONS_BATCH);
    return unsigned + (await this.changeAll(DELETE_SIGNED, [new Date(nowMs - SIGNED_KEPT_MS)], ACTIONS_BATCH));
  }
}

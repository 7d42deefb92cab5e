import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { ACTIONS_BATCH, DELETE_SIGNED, DELETE_UNSIGNED, KEEP_EXECUTED } from '../action/action-bounds.sql.js';

const DAY_MS = 86_400_000;
/** How long an action stays after its last second when nobody signed it, and when it was signed and not executed. */
const UNSIGNED_KEPT_MS = DAY_MS;
const SIGNED_KEPT_MS = 30 * DAY_MS;
/** How often those are looked at whose last second is long over, for whether the chain has executed them. */
const FULL_LOOK_MS = 3_600_000;

/**
 * Deletes actions that can never be executed any more and never were: by our clock and by the time of the newest block
 * that the index has read. What the chain has executed is kept for good.
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
    // Nearly all are executed within minutes; what an index found later, or no sweeper marked, is found every hour.
    const isFull = nowMs - this.lookedAtAllMs >= FULL_LOOK_MS;
    if (isFull) this.lookedAtAllMs = nowMs;
    const since = new Date(isFull ? 0 : nowMs - 2 * FULL_LOOK_MS);
    for (const statement of KEEP_EXECUTED) await this.changeAll(statement, [new Date(nowMs), since], ACTIONS_BATCH);
    const unsigned = await this.changeAll(DELETE_UNSIGNED, [new Date(nowMs - UNSIGNED_KEPT_MS)], ACTIONS_BATCH);
    return unsigned + (await this.changeAll(DELETE_SIGNED, [new Date(nowMs - SIGNED_KEPT_MS)], ACTIONS_BATCH));
  }
}

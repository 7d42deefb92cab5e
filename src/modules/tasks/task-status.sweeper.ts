import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { RegularWork } from '../../platform/time/regular-work.js';
import { TaskStore } from './task-store.js';

/** Statuses in the task list may be out of date by this much; a task read by id is always current. */
const INTERVAL_MS = 2_000;
/** Tasks per transaction. One statement writes them all, so that other writers of these rows wait only briefly. */
const BATCH = 200;

/**
 * Stores the status changes that time alone causes, so that lists and their filters are right within seconds. Rows that
 * are locked by a request or another process are skipped until the next round; the lock's holder usually updates them
 * anyway.
 */
@Injectable()
export class TaskStatusSweeper extends RegularWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly store: TaskStore,
  ) {
    super('tasks', INTERVAL_MS, 'The status of some tasks stays behind');
  }

  /** Updates every task whose status is due to change, in batches; returns how many. */
  override async sweep(): Promise<number> {
    let settled = 0;
    for (let batch = BATCH; batch === BATCH && !this.isEnding; settled += batch) {
      batch = await this.transactions.run((manager) => this.store.settleDue(manager, BATCH));
    }
    return settled;
  }
}

import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { RegularWork } from '../../platform/time/regular-work.js';
import { TaskStore } from './task-store.js';

/** How far the list may lag behind time; a task that is read by its id does not. */
const INTERVAL_MS = 2_000;
/** Tasks of one transaction. They are written by one statement, so that whoever needs one of them waits for no more. */
const BATCH = 200;

/**
 * Writes down what time has made of tasks, so that lists and their filters follow within seconds. Rows that a request or
 * another process holds are left for the next round: whoever holds them settles them anyway.
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

  /** Settles every task whose status time has changed, in batches; returns how many tasks. */
  override async sweep(): Promise<number> {
    let settled = 0;
    for (let batch = BATCH; batch === BATCH && !this.isEnding; settled += batch) {
      batch = await this.transactions.run((manager) => this.store.settleDue(manager, BATCH));
    }
    return settled;
  }
}

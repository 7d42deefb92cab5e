import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { TaskEntity } from './task.entity.js';
import { TaskStore } from './task-store.js';

/** How far the list may lag behind time; a task that is read by its id does not. */
const INTERVAL_MS = 2_000;
const BATCH = 200;

/**
 * Writes down what time has made of tasks, so that lists and their filters follow within seconds. Rows that a request or
 * another process holds are left for the next round: whoever holds them settles them anyway.
 */
@Injectable()
export class TaskStatusSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('tasks');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly store: TaskStore,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.sweepQuietly().finally(() => (this.running = null));
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Settles every task whose status time has changed, in batches; returns how many tasks. */
  async sweep(): Promise<number> {
    let settled = 0;
    for (let batch = BATCH; batch === BATCH && !this.stopped; settled += batch) {
      batch = await this.transactions.run((manager) => this.settleBatch(manager));
    }
    return settled;
  }

  private async settleBatch(manager: EntityManager): Promise<number> {
    const due = await manager
      .createQueryBuilder(TaskEntity, 'task')
      .where('task.statusDueAt <= :now', { now: this.clock.now() })
      .orderBy('task.statusDueAt')
      .limit(BATCH)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    for (const task of due) await this.store.save(manager, this.store.settle(task));
    return due.length;
  }

  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`The status of some tasks stays behind until the next round: ${String(error)}`);
    }
  }
}

import { Injectable } from '@nestjs/common';
import { runWithNext, Transactions } from '../../../platform/database/transactions.js';
import { DomainEvents } from '../../events/domain-events.js';
import { SHARE_PUBLICATION } from './publication-turn.sql.js';
import { TreePublisher } from './tree-publisher.js';
import { TreesApart } from './trees-apart.js';
import { type MarkedTree, UnpublishedTrees } from './unpublished-trees.js';

/** Trees that are published in one transaction. */
export const TREES_AT_ONCE = 50;
/** Transactions at the same time: this process computes the rows of one while Postgres writes those of another. */
const LANES = 2;
/** With this many transactions of waiting trees the index counts as catching up, until none waits any more. */
const MANY = 10;

/**
 * Publishes the trees that wait their turn, in transactions of their own. A mark is removed only in the version that was
 * read before the tree was locked: a tree that is marked again meanwhile is published again.
 */
@Injectable()
export class TreesWaiting {
  private isCatchingUp = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly unpublished: UnpublishedTrees,
    private readonly publisher: TreePublisher,
    private readonly apart: TreesApart,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Publishes the next trees in at most `transactions` transactions; false when none waited.
   * @throws the error of a transaction that failed; transactions that were not begun by then are left for later.
   */
  async publish(transactions: number): Promise<boolean> {
    const trees = await this.unpublished.waiting(this.transactions.manager, transactions * TREES_AT_ONCE);
    const batches: MarkedTree[][] = [];
    for (let from = 0; from < trees.length; from += TREES_AT_ONCE) {
      batches.push(trees.slice(from, from + TREES_AT_ONCE));
    }
    // The last trees, too, leave to `finish` what is done once for all: in their transactions the lanes would wait for each other.
    this.isCatchingUp = batches.length >= MANY || (this.isCatchingUp && trees.length > 0);
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => this.publishAll(batches)));
    const failed = lanes.find((lane) => lane.status === 'rejected');
    if (failed) throw failed.reason;
    return trees.length > 0;
  }

  /** Has handlers do a part of the work that they left while many trees waited; false when none has more to do. */
  async finish(): Promise<boolean> {
    let isMore = false;
    const askAgain = (): void => void (isMore = true);
    await this.transactions.run(async (manager) => {
      await runWithNext(manager, SHARE_PUBLICATION, []);
      await this.events.publish(manager, { type: 'trees_caught_up', askAgain });
    });
    return isMore;
  }

  /** Takes one batch after the other from those that are left. */
  private async publishAll(batches: MarkedTree[][]): Promise<void> {
    try {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        await this.publishBatch(batch);
      }
    } catch (error) {
      batches.length = 0;
      throw error;
    }
  }

  private publishBatch(trees: readonly MarkedTree[]): Promise<void> {
    return this.transactions.run(async (manager) => {
      const failures = await this.publisher.publish(
        manager,
        trees.map(({ taskId }) => taskId),
        this.isCatchingUp,
      );
      const blocks = new Map(trees.map(({ taskId, blockNumber }) => [taskId, blockNumber]));
      for (const failure of failures) await this.apart.setAside(manager, failure, blocks.get(failure.taskId) ?? 0);
      const failed = new Set(failures.map(({ taskId }) => taskId));
      await this.unpublished.forgetSeen(
        manager,
        trees.filter(({ taskId }) => !failed.has(taskId)),
      );
    });
  }
}

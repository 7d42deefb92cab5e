import { Injectable, Logger } from '@nestjs/common';
import { InconsistentFactsError } from '#libs/contracts';
import { Transactions } from '../../../platform/database/transactions.js';
import { IndexerStatus } from '../indexed-chain/indexer-status.js';
import { type TreeFailure, TreePublisher } from './tree-publisher.js';
import { type MarkedTree, UnpublishedTrees } from './unpublished-trees.js';

/** Trees that are looked at for the next one whose turn it is. */
const LOOKED_AT = 100;
/** A tree that took long is left alone for so many times as long: it may cost no more than a part of the time. */
const REST_FACTOR = 4;
const LONGEST_REST_MS = 60_000;

/**
 * Publishes trees that are large or have failed before, one after the other and beside the steps of the index: what such a
 * tree costs, it costs itself.
 */
@Injectable()
export class TreesApart {
  private readonly logger = new Logger('Indexer');
  private readonly restUntilMs = new Map<string, number>();
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly unpublished: UnpublishedTrees,
    private readonly publisher: TreePublisher,
    private readonly status: IndexerStatus,
  ) {}

  /** Begins with what is due, unless it is under way; to be called after every step. Never rejects. */
  start(): void {
    this.running ??= this.publishDue().finally(() => (this.running = null));
  }

  /** Resolves when what is due and was begun has ended. */
  async idle(): Promise<void> {
    await this.running;
  }

  /** Ends after the tree that is under way; the others are due for whoever indexes next. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** Notes that a tree could not be projected, in the transaction in which it was tried. */
  async setAside(
    manager: Parameters<UnpublishedTrees['setAside']>[0],
    { taskId, error }: TreeFailure,
    block: number,
  ): Promise<void> {
    const attempts = await this.unpublished.setAside(manager, taskId, block, error);
    const isInconsistent = error instanceof InconsistentFactsError;
    if (isInconsistent) this.status.inconsistentTasks.add(taskId);
    const advice = isInconsistent ? ' Its facts are not its whole history: check CHAIN_START_BLOCK.' : '';
    this.logger.error(`The tree of ${taskId} is set aside (attempt ${attempts}): ${error.message}.${advice}`);
  }

  private async publishDue(): Promise<void> {
    try {
      for (let next = await this.next(); next !== undefined; next = await this.next()) await this.publish(next);
    } catch (error) {
      this.logger.warn(`Trees that are published by themselves wait for the next step: ${String(error)}`);
    }
  }

  private async next(): Promise<MarkedTree | undefined> {
    if (this.isStopped) return undefined;
    const nowMs = performance.now();
    for (const [taskId, untilMs] of this.restUntilMs) if (untilMs <= nowMs) this.restUntilMs.delete(taskId);
    const due = await this.unpublished.dueApart(this.transactions.manager, LOOKED_AT);
    return due.find(({ taskId }) => !this.restUntilMs.has(taskId));
  }

  private async publish(tree: MarkedTree): Promise<void> {
    const { taskId, blockNumber } = tree;
    const startedMs = performance.now();
    const isPublished = await this.transactions.run(async (manager) => {
      const [failure] = await this.publisher.publish(manager, [taskId]);
      if (failure) await this.setAside(manager, failure, blockNumber);
      else await this.unpublished.forgetSeen(manager, [tree]);
      return failure === undefined;
    });
    if (isPublished) this.status.inconsistentTasks.delete(taskId);
    const endedMs = performance.now();
    this.restUntilMs.set(taskId, endedMs + Math.min(LONGEST_REST_MS, REST_FACTOR * (endedMs - startedMs)));
  }
}

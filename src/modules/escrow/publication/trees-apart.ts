import { Injectable, Logger } from '@nestjs/common';
import { InconsistentFactsError } from '#libs/contracts';
import { Transactions } from '../../../platform/database/transactions.js';
import { IndexerStatus } from '../indexed-chain/indexer-status.js';
import { type TreeFailure, TreePublisher } from './tree-publisher.js';
import { type MarkedTree, UnpublishedTrees } from './unpublished-trees.js';

/** Due trees that are read to find the next one that does not rest. */
const LOOKED_AT = 100;
/** A tree rests this many times as long as its publication took, so that it takes only a part of the time. */
const REST_FACTOR = 4;
const LONGEST_REST_MS = 60_000;

/**
 * Publishes trees that are large or have failed before, one after the other and beside the steps of the index, so that
 * such a tree delays no other.
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

  /** Starts publishing the trees that are due, unless that is under way; to be called after every step. Never rejects. */
  start(): void {
    this.running ??= this.publishDue().finally(() => (this.running = null));
  }

  /** Resolves when the publication that is under way has ended. */
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

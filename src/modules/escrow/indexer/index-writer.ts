import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { Transactions } from '../../../platform/database/transactions.js';
import type { BlockRange } from '../indexed-chain/block-source.js';
import { collectFacts, escrowCandidates } from '../indexed-chain/collect-facts.js';
import { IndexStore, type StoredBlock } from '../indexed-chain/index-store.js';
import { TreePublisher } from '../publication/tree-publisher.js';
import { TreesApart } from '../publication/trees-apart.js';
import { TREES_AT_ONCE } from '../publication/trees-waiting.js';
import { type Backlog, UnpublishedTrees } from '../publication/unpublished-trees.js';

/** One step of the index, as it is written. */
export interface IndexStep {
  /** Where the index stood when the step was planned. */
  tip: StoredBlock | null;
  /** The block that stays the newest; everything above it is deleted. */
  base: StoredBlock | null;
  /** What comes above `base`; null for nothing. */
  range: BlockRange | null;
}

/**
 * Writes steps of the index, each in one transaction: a step deletes what the chain has replaced, adds new blocks and
 * facts, and publishes the trees concerned. So a transaction that moved to another block is seen there, and never seen as
 * undone for a moment.
 *
 * When a step concerns more trees than are published at once, it only marks them, and `TreesWaiting` publishes them: their
 * tasks then show an earlier state, never half of a new one. Trees that a reorganisation concerns are published with it,
 * except those that are published by themselves.
 */
@Injectable()
export class IndexWriter {
  constructor(
    private readonly transactions: Transactions,
    private readonly config: ChainConfig,
    private readonly store: IndexStore,
    private readonly publisher: TreePublisher,
    private readonly unpublished: UnpublishedTrees,
    private readonly apart: TreesApart,
  ) {}

  /** The block up to which facts are indexed; null when nothing is. */
  tip(): Promise<StoredBlock | null> {
    return this.store.tip(this.transactions.manager);
  }

  /** How far the published trees lag behind the indexed facts. */
  backlog(): Promise<Backlog> {
    return this.unpublished.backlog(this.transactions.manager);
  }

  /** Writes a step. False, with nothing written, when another runner has moved the index since the step was planned. */
  write(step: IndexStep): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      const stored = await this.store.lockTip(manager);
      if (stored?.number !== step.tip?.number || stored?.hash !== step.tip?.hash) return false;
      const isRollback = step.tip?.number !== step.base?.number;
      const forgotten = isRollback ? await this.store.rollback(manager, step.base) : [];
      const added = step.range === null ? [] : await this.append(manager, step.range);
      const concerned = [...new Set([...forgotten, ...added])];
      const block = (step.base?.number ?? -1) + 1;
      const apart = await this.unpublished.apartAmong(manager, concerned);
      const together = concerned.filter((taskId) => !apart.has(taskId));
      const now = new Set(together.length <= TREES_AT_ONCE ? together : forgotten.filter((id) => !apart.has(id)));
      await this.publish(manager, [...now], block);
      const later = concerned.filter((taskId) => !now.has(taskId));
      await this.unpublished.mark(manager, later, block, apart);
      return true;
    });
  }

  private async publish(manager: EntityManager, taskIds: readonly string[], block: number): Promise<void> {
    const failures = await this.publisher.publish(manager, taskIds);
    const failed = new Set(failures.map(({ taskId }) => taskId));
    await this.unpublished.forget(
      manager,
      taskIds.filter((taskId) => !failed.has(taskId)),
    );
    for (const failure of failures) await this.apart.setAside(manager, failure, block);
  }

  /** Returns the tasks that have new facts. */
  private async append(manager: EntityManager, range: BlockRange): Promise<string[]> {
    const { factoryAddress } = this.config;
    const taskIds = await this.store.tasksOfEscrows(manager, escrowCandidates(range.logs, factoryAddress));
    const facts = collectFacts(range, { factoryAddress, taskIds });
    const withFacts = new Set(facts.map(({ blockNumber }) => blockNumber));
    const last = range.headers.at(-1);
    const kept = range.headers.filter((header) => header === last || withFacts.has(header.number));
    await this.store.append(manager, kept, facts);
    if (last) await this.store.prune(manager, last.number);
    return facts.map(({ taskId }) => taskId);
  }
}

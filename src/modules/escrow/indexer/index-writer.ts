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
  /** What stays of it; everything above is forgotten. */
  base: StoredBlock | null;
  /** What comes above `base`; null for nothing. */
  range: BlockRange | null;
}

/**
 * Writes steps of the index, each in one transaction: it forgets what the chain has replaced, adds what is new, and makes
 * everything that is shown of the tasks concerned follow. Transactions that moved to another block are seen to have
 * moved, never to have been undone for a moment.
 *
 * A range with more trees than are published at once marks them with the facts, and `TreesWaiting` follows: what is shown of
 * a task lags then, and is never half of something. What a reorganisation concerns is always published with it.
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

  /** What of the indexed facts is not shown yet. */
  backlog(): Promise<Backlog> {
    return this.unpublished.backlog(this.transactions.manager);
  }

  /** False, with nothing written, when another runner has moved the index since the step was planned. */
  write(step: IndexStep): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      const stored = await this.store.lockTip(manager);
      if (stored?.number !== step.tip?.number || stored?.hash !== step.tip?.hash) return false;
      const isRewind = step.tip?.number !== step.base?.number;
      const forgotten = isRewind ? await this.store.rewind(manager, step.base) : [];
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

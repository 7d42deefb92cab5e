import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { decidingRoot, followTree, taskStatusOf, type TreeProjection, type TreeStep } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { DomainEvents } from '../../events/domain-events.js';
import { forgetUndone } from '../../events/log/chain-events.sql.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import type { TreeChanged } from '../../events/tree.events.js';
import type { OwnedTask } from '../../tasks/task/task-chain-facts.sql.js';
import { TaskStore } from '../../tasks/task-store.js';
import { IndexStore } from '../indexed-chain/index-store.js';
import { tellNodes } from '../told/node-events.js';
import { revertedEvents } from '../told/reverted-events.js';
import { ToldSteps } from '../told/told-steps.js';
import {
  isAheadOfIndex,
  newsOf,
  noteTold,
  toldAboveRollbacks,
  type TreeBefore,
  type TreeNews,
  treesBefore,
} from '../told/told-trees.js';
import { Participants, type Worker } from './participants.js';
import { OWN_PUBLICATION, SHARE_PUBLICATION } from './publication-turn.sql.js';
import { resolveNodes } from './resolve-tree.js';
import { isOfTheTree } from './tree-failures.js';
import { writeTreeRows } from './tree-rows.js';

/** A tree that could not be projected, and why. */
export interface TreeFailure {
  readonly taskId: string;
  readonly error: Error;
}

/** Less than the time limit of a statement, so that a wait for a lock fails as such and no tree is taken for slow. */
const LOCK_TIMEOUT_MS = 5_000;

const LIMIT_WAITING = { name: 'trees-lock-timeout', text: `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}` };
const BEGIN_TREES = { name: 'trees-savepoint', text: 'SAVEPOINT trees' };
const END_TREES = { name: 'trees-release', text: 'RELEASE SAVEPOINT trees' };

/** Makes everything that is shown of tasks follow from their indexed facts. */
@Injectable()
export class TreePublisher {
  constructor(
    private readonly store: IndexStore,
    private readonly tasks: TaskStore,
    private readonly participants: Participants,
    private readonly events: DomainEvents,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Folds the facts of these tasks anew, publishes `TreesChanged`, and writes their trees and nodes, in the given
   * transaction, with the events of what is new. Everything about a tree that cannot be projected stays as it was; the
   * other trees are published. So does a tree of which more was told than the index has read, while it is made again.
   * @param isCatchingUp true while many more trees wait behind these.
   * @returns the trees that could not be projected. Rejects with an error of the database: then roll back.
   */
  async publish(manager: EntityManager, taskIds: readonly string[], isCatchingUp = false): Promise<TreeFailure[]> {
    if (taskIds.length === 0) return [];
    await runWithNext(manager, LIMIT_WAITING, []);
    // Sorted as everywhere, so that transactions that lock several tasks never wait for each other in a circle.
    return this.attempt(manager, [...new Set(taskIds)].sort(), isCatchingUp, false);
  }

  /**
   * Projects all trees at once; when one of them is at fault, each half again, until every tree at fault is alone. What
   * one half locks, it keeps while the next half locks more, in an order of its own: so halves let nobody else publish.
   */
  private async attempt(
    manager: EntityManager,
    taskIds: readonly string[],
    isCatchingUp: boolean,
    isHalf: boolean,
  ): Promise<TreeFailure[]> {
    await runWithNext(manager, BEGIN_TREES, []);
    try {
      if (!isHalf) await runWithNext(manager, SHARE_PUBLICATION, []);
      await this.project(manager, taskIds, isCatchingUp);
      // A prepared statement sends the waiting ones with it, so that their errors are thrown here.
      await runPrepared(manager, END_TREES, []);
      return [];
    } catch (error) {
      if (!isOfTheTree(error) || !(await hasRolledBack(manager))) throw error;
      const [taskId] = taskIds;
      if (taskIds.length === 1 && taskId !== undefined) return [{ taskId, error }];
    }
    // The shared lock went with the savepoint. Who kept it here would wait for others that keep it and want this one.
    if (!isHalf) await runPrepared(manager, OWN_PUBLICATION, []);
    const middle = Math.ceil(taskIds.length / 2);
    const first = await this.attempt(manager, taskIds.slice(0, middle), isCatchingUp, true);
    return [...first, ...(await this.attempt(manager, taskIds.slice(middle), isCatchingUp, true))];
  }

  private async project(manager: EntityManager, taskIds: readonly string[], isCatchingUp: boolean): Promise<void> {
    const tasks = await this.tasks.lockAll(manager, taskIds);
    const before = await treesBefore(manager, taskIds);
    const facts = await this.store.factsOf(manager, taskIds);
    const told = await toldAboveRollbacks(manager, before.values());
    const folded: FoldedTree[] = [];
    for (const taskId of taskIds) {
      const [task, was, own] = [tasks.get(taskId), before.get(taskId), facts.get(taskId) ?? []];
      if (!task || !was) throw new Error(`Task ${taskId} has facts and no row`);
      if (isAheadOfIndex(was)) continue;
      const { isNew, undone } = newsOf(was, own, told.get(taskId));
      folded.push({ task, before: was, undone, block: own.at(-1)?.blockNumber ?? null, ...followTree(own, isNew) });
    }
    const workers = await this.participants.workersOf(manager, folded.flatMap(employedIn));
    const trees = folded.map((tree) => changedBy(tree, workers.get(tree.task.id) ?? new Map()));
    const now = this.clock.now();
    await forgetUndone(
      manager,
      folded.flatMap(({ undone }) => undone),
    );
    await recordEvents(
      manager,
      folded.flatMap(({ task, undone }) => (undone.length === 0 ? [] : revertedEvents(task.id, undone, now))),
    );
    const news = new ToldSteps(this.config.chainId);
    for (const tree of trees) tellNodes(tree, news.tell);
    await this.events.publish(manager, { type: 'trees_changed', trees, tell: news.tell, isCatchingUp });
    await recordEvents(manager, news.inChainOrder());
    await noteTold(manager, folded);
    // Last, because nodes change sums of accounts that other trees change too: a second transaction waits only from here.
    await writeTreeRows(manager, trees);
  }
}

/** A tree as its facts have it, and what is still to be told of it. */
interface FoldedTree {
  readonly task: OwnedTask;
  readonly before: TreeBefore;
  readonly undone: TreeNews['undone'];
  /** Block of the newest fact; null when there is none. */
  readonly block: number | null;
  readonly projection: TreeProjection;
  readonly steps: readonly TreeStep[];
}

function employedIn({ task, projection }: FoldedTree): { taskId: string; path: bigint; worker: Hex }[] {
  return projection.nodes.map(({ path, worker }) => ({ taskId: task.id, path, worker }));
}

function changedBy(
  { task, before, block, projection, steps }: FoldedTree,
  workers: ReadonlyMap<bigint, Worker>,
): TreeChanged {
  const nodes = resolveNodes(task, projection, workers);
  const deciding = decidingRoot(projection.nodes);
  const root = nodes.find(({ node }) => node.path === deciding?.path);
  return {
    taskId: task.id,
    buyerAccountId: task.buyerAccountId,
    projection,
    status: taskStatusOf(projection),
    selectedAgentId: root?.workerAgentId ?? null,
    nodes,
    steps,
    isShown: before.isShown,
    blockNumber: block,
  };
}

/** Undoes what was begun for some trees; false when the connection is gone and the whole transaction with it. */
async function hasRolledBack(manager: EntityManager): Promise<boolean> {
  try {
    await manager.query('ROLLBACK TO SAVEPOINT trees');
    await manager.query('RELEASE SAVEPOINT trees');
    return true;
  } catch {
    return false;
  }
}

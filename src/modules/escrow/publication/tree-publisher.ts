import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChainedFact, decidingRoot, projectTree, taskStatusOf } from '#libs/contracts';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import { DomainEvents } from '../../events/domain-events.js';
import type { TreeChanged } from '../../events/tree.events.js';
import { TaskStore } from '../../tasks/task-store.js';
import { IndexStore } from '../indexed-chain/index-store.js';
import { Participants } from './participants.js';
import { OWN_PUBLICATION, SHARE_PUBLICATION } from './publication-turn.sql.js';
import { resolveNodes } from './resolve-tree.js';
import { isOfTheTree } from './tree-failures.js';
import { shownAmong, writeTreeRows } from './tree-rows.js';

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
  ) {}

  /**
   * Folds the facts of these tasks anew, publishes `TreesChanged`, and writes their trees and nodes, in the given
   * transaction. Everything about a tree that cannot be projected stays as it was; the other trees are published.
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
    const shown = await shownAmong(manager, taskIds);
    const facts = await this.store.factsOf(manager, taskIds);
    const folded = taskIds.map((taskId) => {
      const task = tasks.get(taskId);
      if (!task) throw new Error(`Task ${taskId} has facts and no row`);
      const own = facts.get(taskId) ?? [];
      return { task, projection: projectTree(own), blockNumber: blockOf(own) };
    });
    const nodes = folded.flatMap(({ task, projection }) =>
      projection.nodes.map(({ path, worker }) => ({ taskId: task.id, path, worker })),
    );
    const workers = await this.participants.workersOf(manager, nodes);
    const trees = folded.map(({ task, projection, blockNumber }): TreeChanged => {
      const resolved = resolveNodes(task, projection, workers.get(task.id) ?? new Map());
      const deciding = decidingRoot(projection.nodes);
      const root = resolved.find(({ node }) => node.path === deciding?.path);
      return {
        taskId: task.id,
        buyerAccountId: task.buyerAccountId,
        projection,
        status: taskStatusOf(projection),
        selectedAgentId: root?.workerAgentId ?? null,
        nodes: resolved,
        isShown: shown.has(task.id),
        blockNumber,
      };
    });
    await this.events.publish(manager, { type: 'trees_changed', trees, isCatchingUp });
    // Last, because nodes change sums of accounts that other trees change too: a second transaction waits only from here.
    await writeTreeRows(manager, trees);
  }
}

function blockOf(facts: readonly ChainedFact[]): number | null {
  return facts.at(-1)?.blockNumber ?? null;
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

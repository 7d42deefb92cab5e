import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChainedFact, decidingRoot, projectTree, taskStatusOf } from '#libs/contracts';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import { DomainEvents } from '../../events/domain-events.js';
import type { TreeChanged } from '../../events/tree.events.js';
import { TaskStore } from '../../tasks/task-store.js';
import { IndexStore } from '../indexed-chain/index-store.js';
import { Participants } from './participants.js';
import { resolveNodes } from './resolve-tree.js';
import { isOfTheTree } from './tree-failures.js';
import { shownAmong, writeTreeRows } from './tree-rows.js';

/** A tree that could not be projected, and why. */
export interface TreeFailure {
  readonly taskId: string;
  readonly error: Error;
}

/** Less than a statement may take: who waits for a lock so long fails as everybody would, and is not taken for slow. */
const LOCK_TIMEOUT_MS = 5_000;

const LIMIT_WAITING = { name: 'trees-lock-timeout', text: `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}` };
const BEGIN_TREES = { name: 'trees-savepoint', text: 'SAVEPOINT trees' };
const END_TREES = { name: 'trees-release', text: 'RELEASE SAVEPOINT trees' };

/** Makes everything that is shown of tasks equal to what their facts add up to. */
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
   * transaction. Of a tree that cannot be projected everything stays as it was; the others are not concerned.
   * @param isCatchingUp whether many more wait behind these.
   * @returns the trees that could not be. Rejects with the database's error, for the transaction to be rolled back.
   */
  async publish(manager: EntityManager, taskIds: readonly string[], isCatchingUp = false): Promise<TreeFailure[]> {
    if (taskIds.length === 0) return [];
    await runWithNext(manager, LIMIT_WAITING, []);
    // In one order everywhere, so that nobody who locks several tasks waits in a circle.
    return this.attempt(manager, [...new Set(taskIds)].sort(), isCatchingUp);
  }

  /** All at once; when that fails for what a tree is, in halves, until the trees that fail are alone. */
  private async attempt(
    manager: EntityManager,
    taskIds: readonly string[],
    isCatchingUp: boolean,
  ): Promise<TreeFailure[]> {
    await runWithNext(manager, BEGIN_TREES, []);
    try {
      await this.project(manager, taskIds, isCatchingUp);
      // Prepared, so that what waits for the next statement goes with it, and is the one that fails.
      await runPrepared(manager, END_TREES, []);
      return [];
    } catch (error) {
      if (!isOfTheTree(error) || !(await hasRolledBack(manager))) throw error;
      const [taskId] = taskIds;
      if (taskIds.length === 1 && taskId !== undefined) return [{ taskId, error }];
    }
    const middle = Math.ceil(taskIds.length / 2);
    const first = await this.attempt(manager, taskIds.slice(0, middle), isCatchingUp);
    return [...first, ...(await this.attempt(manager, taskIds.slice(middle), isCatchingUp))];
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
      projection.nodes.map(({ number, worker }) => ({ taskId: task.id, number, worker })),
    );
    const workers = await this.participants.workersOf(manager, nodes);
    const trees = folded.map(({ task, projection, blockNumber }): TreeChanged => {
      const resolved = resolveNodes(task, projection, workers.get(task.id) ?? new Map());
      const deciding = decidingRoot(projection.nodes);
      const root = resolved.find(({ node }) => node.number === deciding?.number);
      return {
        taskId: task.id,
        buyerAccountId: task.buyerAccountId,
        projection,
        status: taskStatusOf(projection),
        selectedAgentId: root?.workerAgentId ?? null,
        selectedAccountId: root?.workerAccountId ?? null,
        nodes: resolved,
        isShown: shown.has(task.id),
        blockNumber,
      };
    });
    await this.events.publish(manager, { type: 'trees_changed', trees, isCatchingUp });
    // Nodes move the sums of accounts, which other trees move too: whoever comes second waits from here to the end only.
    await writeTreeRows(manager, trees);
  }
}

function blockOf(facts: readonly ChainedFact[]): number | null {
  return facts.at(-1)?.blockNumber ?? null;
}

/** Undoes what was begun for some trees; false when the connection is gone, with the whole transaction. */
async function hasRolledBack(manager: EntityManager): Promise<boolean> {
  try {
    await manager.query('ROLLBACK TO SAVEPOINT trees');
    await manager.query('RELEASE SAVEPOINT trees');
    return true;
  } catch {
    return false;
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TreeStep } from '#libs/contracts';
import { childPath } from '#libs/kernel';
import { insertWithNext } from '../../platform/database/entities/entity-insert.sql.js';
import { entityOf } from '../../platform/database/entity-rows.js';
import { runPrepared } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import type { TreesChanged } from '../events/tree.events.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { TaskDto } from './dto/task.dto.js';
import {
  KNOWN_UNTIL,
  LOCK_TASKS,
  type OwnedTask,
  tasksOf,
  writeChainFacts,
  TAKE_NODE_INDEX,
} from './task/task-chain-facts.sql.js';
import { chainChanges, plainAudience, taskEvent, taskEventType, type ToldOfTask } from './task/task-event.js';
import { TaskEntity } from './task/task.entity.js';
import { dueTasks, SAVE_STATUSES } from './task/task-status.sql.js';
import { PARTIES_OF } from './visibility/task-visibility.sql.js';
import { asOf, isFunded, mayFollow, selectedNode, settle, takesOffers, type TaskEvent } from './task/task.lifecycle.js';

const READ_AGAIN = 'Read the task again; its status says what can be done now.';

/** The offer that a buyer's signed `SelectAgent` selects. */
export interface SignedSelection {
  readonly quoteId: string;
  readonly actionId: string;
  readonly agentId: string;
  /** Path of the root node that the selection is for. */
  readonly nodePath: bigint;
  /** Last moment at which the offer is valid. */
  readonly until: Date;
}

/**
 * Writes task rows. Only this class renders a task's document, so row and document never differ. A task that is loaded
 * here has its current status, even when the sweeper has not stored it yet.
 */
@Injectable()
export class TaskStore {
  /** What the rows say of the tasks that were loaded here: a loaded task may already have a newer status. */
  private readonly stored = new WeakMap<TaskEntity, ToldOfTask>();

  constructor(private readonly clock: Clock) {}

  /** The task without a check of who may see it, or null. `lock` locks the row until the transaction ends. */
  async load(manager: EntityManager, taskId: string, { lock = false } = {}): Promise<TaskEntity | null> {
    const task = await manager.findOne(TaskEntity, {
      where: { id: taskId },
      ...(lock ? { lock: { mode: 'pessimistic_write' as const } } : {}),
    });
    return task && asOf(this.noted(task), this.clock.nowMs());
  }

  /**
   * Locks the tasks until the transaction ends, always in the same order to avoid deadlocks. Returns their owners by
   * task id.
   */
  async lockAll(manager: EntityManager, taskIds: readonly string[]): Promise<Map<string, OwnedTask>> {
    const rows = await manager.query<OwnedTask[]>(LOCK_TASKS, [[...taskIds]]);
    return new Map(rows.map((task) => [task.id, task]));
  }

  /** The tasks by id, with their current status. */
  async loadAll(manager: EntityManager, taskIds: readonly string[]): Promise<Map<string, TaskEntity>> {
    const rows = await manager.query<Record<string, unknown>[]>(tasksOf(manager), [[...taskIds]]);
    const nowMs = this.clock.nowMs();
    const tasks = rows.map((row) => asOf(this.noted(entityOf(manager, TaskEntity, row)), nowMs));
    return new Map(tasks.map((task) => [task.id, task]));
  }

  /**
   * Writes the columns that come from the chain, and the documents. The tasks must be locked; other columns are not
   * written.
   */
  async saveChainFacts(manager: EntityManager, tasks: readonly TaskEntity[]): Promise<void> {
    const now = this.clock.now();
    for (const task of tasks) this.render(task, now);
    await writeChainFacts(manager, tasks);
  }

  /**
   * Tells what the chain has made of tasks that were loaded here: each status that one of its facts gave a task, and the
   * status that the task has now, where that is another.
   */
  async tellChainFacts(
    manager: EntityManager,
    tasks: readonly { task: TaskEntity; steps: readonly TreeStep[] }[],
    tell: TreesChanged['tell'],
  ): Promise<void> {
    const changes = tasks.flatMap(({ task, steps }) => {
      const before = this.stored.get(task);
      this.noted(task);
      return before ? chainChanges(before, task, steps) : [];
    });
    const now = this.clock.now();
    for (const { change, audience } of await withReaders(manager, changes)) {
      const { type, before, task, to, cause } = change;
      const at = cause === null ? now : new Date(cause.chained.blockTime * 1000);
      tell(taskEvent(type, before, task, audience, at, to), cause);
    }
  }

  /** Sets the task's current status in the object; the row is not written. */
  settle(task: TaskEntity): TaskEntity {
    return settle(task, this.clock.nowMs());
  }

  /** Writes the row and its document. */
  async save(manager: EntityManager, task: TaskEntity): Promise<void> {
    this.render(task);
    await manager.save(TaskEntity, task);
    await this.tell(manager, [task]);
  }

  /** As `save`, for a task that has no row yet. The statement is sent with the next one of the transaction. */
  async insert(manager: EntityManager, task: TaskEntity): Promise<void> {
    this.render(task);
    await insertWithNext(manager, TaskEntity, task);
    await recordEvents(manager, [taskEvent('task.created', null, task, [task.buyerAccountId], this.clock.now())]);
    this.noted(task);
  }

  /** Updates at most `limit` tasks whose status is due to change, skipping locked rows; returns how many. */
  async settleDue(manager: EntityManager, limit: number): Promise<number> {
    const rows = await runPrepared<Record<string, unknown>>(manager, dueTasks(manager), [this.clock.now(), limit]);
    const tasks = rows.map((row) => this.settle(this.noted(entityOf(manager, TaskEntity, row))));
    await this.saveStatuses(manager, tasks);
    return tasks.length;
  }

  /** Writes the columns that `settle` changes, and the documents, of many rows in one statement. */
  async saveStatuses(manager: EntityManager, tasks: readonly TaskEntity[]): Promise<void> {
    if (tasks.length === 0) return;
    await runPrepared(manager, SAVE_STATUSES, [
      tasks.map(({ id }) => id),
      tasks.map(({ status }) => status),
      tasks.map(({ selectedAgentId }) => selectedAgentId),
      tasks.map(({ statusDueAt }) => statusDueAt),
      tasks.map((task) => JSON.stringify(TaskDto.from(task))),
      this.clock.now(),
    ]);
    await this.tell(manager, tasks);
  }

  /**
   * The buyer has signed `CreateTask`: the task is open for offers. Changes nothing when it is open already.
   * @throws ApiError `state_conflict` when the draft was cancelled.
   */
  async markOpened(manager: EntityManager, taskId: string, at: Date): Promise<void> {
    const task = await this.locked(manager, taskId);
    if (task.openedAt !== null) return;
    // The wallet may have sent the payment itself, so that the chain has the task already.
    const isOnChain = task.chainStatus !== null;
    if (!isOnChain) refuseUnless(task, 'creation_signed', `The task is ${task.status}; it can no longer be published.`);
    await this.save(manager, this.settle(Object.assign(task, { openedAt: at })));
  }

  /**
   * The buyer has signed `SelectAgent` for an offer. A later selection replaces an earlier unpaid one; the same action
   * again changes nothing.
   * @throws ApiError `state_conflict` when the task takes no selection now, or as `refuseWhilePaymentUnknown`.
   */
  async markSelected(manager: EntityManager, taskId: string, selection: SignedSelection): Promise<void> {
    const task = await this.locked(manager, taskId);
    if (task.selectionActionId === selection.actionId) return;
    const isOnChain = isFunded(task, selection.nodePath);
    if (!isOnChain && !takesOffers(task, this.clock.nowMs())) {
      throw new ApiError('state_conflict', `The task is ${task.status}; no agent can be selected now.`, READ_AGAIN);
    }
    if (!isOnChain) await this.refuseWhilePaymentUnknown(manager, task, selection.nodePath);
    const { quoteId, actionId, agentId, nodePath, until } = selection;
    Object.assign(task, {
      selectedQuoteId: quoteId,
      selectionActionId: actionId,
      selectionAgentId: agentId,
      selectionNodePath: nodePath,
      selectionUntil: until,
      // A selection implies that the task was published.
      openedAt: task.openedAt ?? this.clock.now(),
    });
    await this.save(manager, this.settle(task));
  }

  /**
   * Refuses another root node than the one for which a payment was submitted, while that payment may have been executed: by
   * our own clock it lapses while the chain may have it already and the index lags, or the chain's own clock lags, and the
   * buyer would pay two agents. Reads nothing for a task without such a payment.
   * @param nodePath of the root node that is selected now.
   * @throws ApiError `state_conflict`.
   */
  async refuseWhilePaymentUnknown(manager: EntityManager, task: TaskEntity, nodePath: bigint): Promise<void> {
    const { id, fundingNodePath: paid, fundingUntil: until } = task;
    if (paid === null || until === null || paid === nodePath || isFunded(task, paid)) return;
    const [known] = await runPrepared<{ isKnown: boolean }>(manager, KNOWN_UNTIL, [id, until]);
    if (known?.isKnown === true) return;
    throw new ApiError(
      'state_conflict',
      'The payment for the agent that was selected before may have been executed; the index has not caught up yet.',
      'Read the task again in a moment, or pay for the offer that was selected before: the chain takes it only once.',
    );
  }

  /**
   * A payment was submitted for the root node with this path; it can be executed until `until`.
   * @throws ApiError `state_conflict` when no agent is selected, or one whose offer is for another node: who was to be paid
   * before a new selection must not make that one look as if it was being paid.
   */
  async markFundingSubmitted(manager: EntityManager, taskId: string, node: bigint, until: Date): Promise<void> {
    const task = await this.locked(manager, taskId);
    // The payment may be on the chain before its signature is submitted here.
    if (task.chainStatus !== null && !mayFollow(task.status, 'payment_submitted')) return;
    refuseUnless(task, 'payment_submitted', `The task is ${task.status}; there is no selected agent to pay.`);
    if (node !== (selectedNode(task, this.clock.nowMs()) ?? task.fundingNodePath)) {
      throw new ApiError('state_conflict', 'The payment is for an offer that is no longer selected.', READ_AGAIN);
    }
    const openedAt = task.openedAt ?? this.clock.now();
    // After a second payment for the same node, the first one can still be executed: keep the later time.
    const standing = task.fundingNodePath === node ? task.fundingUntil : null;
    const fundingUntil = standing !== null && standing.getTime() > until.getTime() ? standing : until;
    Object.assign(task, { fundingNodePath: node, fundingUntil, openedAt });
    await this.save(manager, this.settle(task));
  }

  /**
   * The path of the task's next node under a parent, 0 for a root. Its index counts all nodes of the task, so it is
   * never given out twice, even if its action is never signed: gaps do no harm.
   * @throws RangeError when the parent is on the lowest level, or the task has had all the nodes it can have.
   */
  async nextNodePath(manager: EntityManager, taskId: string, parent: bigint): Promise<bigint> {
    const [row] = await runPrepared<{ node_sequence: number }>(manager, TAKE_NODE_INDEX, [taskId]);
    if (!row) throw new Error(`task ${taskId} does not exist`);
    return childPath(parent, row.node_sequence);
  }

  /**
   * Tells accounts that see the task from now on of it as it is: nothing that was told before has reached them. Its row is
   * locked.
   */
  async tellInvited(manager: EntityManager, task: TaskEntity, accountIds: readonly string[]): Promise<void> {
    if (accountIds.length === 0) return;
    await recordEvents(manager, [taskEvent('task.invited', null, task, accountIds, this.clock.now())]);
  }

  /** Records the events of the changes that were just written to loaded tasks, whose rows are locked. */
  private async tell(manager: EntityManager, tasks: readonly TaskEntity[]): Promise<void> {
    const changes = tasks.flatMap((task) => {
      const before = this.stored.get(task);
      const type = before && taskEventType(before, task);
      this.noted(task);
      return before && type ? [{ type, before, task }] : [];
    });
    const now = this.clock.now();
    await recordEvents(
      manager,
      (await withReaders(manager, changes)).map(({ change: { type, before, task }, audience }) =>
        taskEvent(type, before, task, audience, now),
      ),
    );
  }

  private noted(task: TaskEntity): TaskEntity {
    const { status, selectionActionId } = task;
    this.stored.set(task, { status, selectionActionId });
    return task;
  }

  private render(task: TaskEntity, now = this.clock.now()): void {
    task.updatedAt = now;
    task.document = JSON.stringify(TaskDto.from(task));
  }

  private async locked(manager: EntityManager, taskId: string): Promise<TaskEntity> {
    const task = await this.load(manager, taskId, { lock: true });
    if (!task) throw new ApiError('not_found', 'There is no such task.');
    return task;
  }
}

function refuseUnless(task: TaskEntity, event: TaskEvent, reason: string): void {
  if (!mayFollow(task.status, event)) throw new ApiError('state_conflict', reason, READ_AGAIN);
}

/** Changes of tasks with who may read of them. */
async function withReaders<Change extends { readonly task: TaskEntity }>(
  manager: EntityManager,
  changes: readonly Change[],
): Promise<{ change: Change; audience: 'public' | readonly string[] }[]> {
  const known = changes.map((change) => ({ change, audience: plainAudience(change.task) }));
  const unlisted = known.flatMap(({ change, audience }) => (audience === null ? [change.task.id] : []));
  const parties = await partiesOf(manager, unlisted);
  return known.map(({ change, audience }) => ({ change, audience: audience ?? parties.get(change.task.id) ?? [] }));
}

/** The accounts that are parties of each of the tasks. */
async function partiesOf(manager: EntityManager, taskIds: readonly string[]): Promise<Map<string, string[]>> {
  if (taskIds.length === 0) return new Map();
  const rows = await runPrepared<{ taskId: string; accountIds: string[] }>(manager, PARTIES_OF, [taskIds]);
  return new Map(rows.map(({ taskId, accountIds }) => [taskId, accountIds]));
}

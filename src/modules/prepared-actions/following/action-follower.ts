import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../events/domain-events.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import {
  type PreparedStatement,
  runPrepared,
  runWithNext,
  Transactions,
} from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { sweepEach } from '../../../platform/time/sweep-each.js';
import { isHintOver } from '../action/action-status.js';
import { PreparedActionEntity, type ToldStatus } from '../action/prepared-action.entity.js';
import { listedAction, type ListedAction, type ListedActionRow } from '../list/listed-action.js';
import { ListedStatuses, type ListedStanding } from '../list/listed-statuses.js';
import { actionEvent, type ToldChange } from '../action/action-event.js';
import { isPreparableKind, KindRegistry } from '../registry/kind-registry.js';
import {
  ASKED_AT_ONCE,
  AWAIT_NO_MORE,
  AWAITED,
  DEEP,
  DUE,
  FOLLOWED_AT_ONCE,
  FOLLOWED_WORK,
  type FollowedWork,
  FORGET_TREE,
  NOTE_TREE_AGAIN,
  NOTE_TREES,
  NOTED_TREES,
  OF_TREE,
  SENT,
  TELL,
} from './followed-actions.sql.js';

interface FollowedRow extends ListedActionRow {
  told_status: ToldStatus;
  is_awaited: boolean;
  due_at: Date;
}

interface Change extends ToldChange {
  readonly action: ListedAction;
  readonly from: ToldStatus;
  readonly block: number | null;
}

/** How far a look came that goes on from there: a moment, and the id among those of the same moment. */
interface Place {
  readonly at: Date;
  readonly id: string;
}

const BEGINNING: Place = { at: new Date(0), id: '' };
/**
 * How often those are looked at whose transaction the chain did not know: each costs two calls, and anybody may hand in any
 * hash for an action of its own.
 */
const AWAITED_EVERY_MS = 2_000;
/** Failures after which a look ends: what is wrong then is the database, and not an action. */
const MOST_FAILED = 5;

/**
 * Tells what becomes of actions without anybody's doing here: by a block, or because time passes. The status of an action
 * follows from the chain and from the time and is in no column (`actionStatusOf`), so what was told of it is kept, judged
 * anew where it may have changed, and told where it has. The trees that a block changes are noted in the block's
 * transaction and looked at after it: it has locked the tree, and whoever signs an action locks the action first.
 */
@Injectable()
export class ActionFollower implements OnModuleInit {
  /** Where the last looks ended: what stays due for long must not keep the others from being looked at. */
  private dueAfter = BEGINNING;
  private sentAfter = '';
  private awaitedAfter = BEGINNING;
  private awaitedMs = -Infinity;

  constructor(
    private readonly domainEvents: DomainEvents,
    private readonly reads: ReadConnections,
    private readonly transactions: Transactions,
    private readonly statuses: ListedStatuses,
    private readonly kinds: KindRegistry,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.domainEvents.on('trees_changed', (manager, { trees }) =>
      runWithNext(manager, NOTE_TREES, [trees.map(({ taskId }) => taskId)]),
    );
  }

  /**
   * Looks at all actions whose status may have changed since the last call. One that cannot be judged keeps no other from
   * being told. @param signal ends it early. @throws the first error, once the others are told.
   */
  async follow(signal?: AbortSignal): Promise<void> {
    const [work] = await this.read<FollowedWork>(FOLLOWED_WORK, [this.clock.now()]);
    await doAll([
      async () => void (work?.trees && (await this.lookAtTrees(signal))),
      async () => void (work?.due && (await this.lookAtDue())),
      async () => void (work?.deep && (await this.tell(await this.read<FollowedRow>(DEEP, [])))),
      async () => void (work?.sent && (await this.lookAtSent())),
      async () => void (work?.awaited && (await this.lookAtAwaited())),
    ]);
  }

  private async lookAtTrees(signal?: AbortSignal): Promise<void> {
    const trees = await this.read<{ task_id: string; last: string }>(NOTED_TREES, []);
    await doAll(
      trees.map(({ task_id: taskId, last }) => async () => {
        if (signal?.aborted) return;
        let isSettled = false;
        try {
          isSettled = await this.lookAtTree(taskId);
        } finally {
          // The oldest notes come first, up to a number, and a look ends after a few failures: those that have to be looked at
          // again must not stay the oldest.
          await runPrepared(this.transactions.manager, isSettled ? FORGET_TREE : NOTE_TREE_AGAIN, [taskId, last]);
        }
      }),
    );
  }

  /** Resolves to false when an execution that was told is gone, and nobody knows yet what comes in its place. */
  private async lookAtTree(taskId: string): Promise<boolean> {
    let isSettled = true;
    let behind = '';
    const errors: unknown[] = [];
    for (let found = FOLLOWED_AT_ONCE; found === FOLLOWED_AT_ONCE;) {
      const rows = await this.read<FollowedRow>(OF_TREE, [taskId, behind]);
      try {
        isSettled = (await this.tell(rows)) && isSettled;
      } catch (error) {
        errors.push(error);
      }
      found = rows.length;
      behind = rows.at(-1)?.id ?? behind;
    }
    if (errors.length > 0) throw errors[0];
    return isSettled;
  }

  /** Those whose time is over; some stay what they are until the index has passed that time, too. */
  private async lookAtDue(): Promise<void> {
    const rows = await this.read<FollowedRow>(DUE, [this.dueAfter.at, this.clock.now(), this.dueAfter.id]);
    this.dueAfter = placeBehind(rows, FOLLOWED_AT_ONCE, ({ due_at: dueAt }) => dueAt);
    await this.tell(rows);
  }

  /** Those whose transaction was on its way: only the chain knows that one has failed, or is gone. */
  private async lookAtSent(): Promise<void> {
    const rows = await this.read<FollowedRow>(SENT, [this.sentAfter]);
    this.sentAfter = rows.at(-1)?.id ?? '';
    await this.tell(rows);
  }

  /**
   * Those whose transaction the chain did not know when it was handed in: as long as it may still come to know it, and until
   * it was asked once after that, however long it was away.
   */
  private async lookAtAwaited(): Promise<void> {
    const isFirst = this.awaitedAfter === BEGINNING;
    if (isFirst && performance.now() - this.awaitedMs < AWAITED_EVERY_MS) return;
    if (isFirst) this.awaitedMs = performance.now();
    const rows = await this.read<FollowedRow>(AWAITED, [this.awaitedAfter.at, this.awaitedAfter.id]);
    this.awaitedAfter = placeBehind(rows, ASKED_AT_ONCE, ({ submitted_at: submittedAt }) => submittedAt);
    await this.tell(rows);
  }

  private read<Row extends object>({ name, text }: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return this.reads.queryParsed<Row>(name, text, values);
  }

  /**
   * Tells them together; when that fails, each alone. Resolves to false when an execution was told of one of them, and now
   * nobody knows what becomes of it.
   */
  private async tell(rows: readonly FollowedRow[]): Promise<boolean> {
    try {
      return await this.tellTogether(rows);
    } catch (error) {
      if (rows.length < 2) throw new Error(`${rows[0]?.id} cannot be judged: ${String(error)}`, { cause: error });
      let isSettled = true;
      await doAll(rows.map((row) => async () => void (isSettled = (await this.tell([row])) && isSettled)));
      return isSettled;
    }
  }

  private async tellTogether(rows: readonly FollowedRow[]): Promise<boolean> {
    const actions = rows.map(listedAction);
    const standings = await this.statuses.of(actions);
    const at = this.clock.now();
    const changes = actions.flatMap((action, place): Change[] => {
      const [from, standing] = [rows[place]?.told_status, standings[place]];
      if (from === undefined || standing === undefined) return [];
      const { status: to, block, transactionHash } = standing;
      return to === 'unknown' || to === from ? [] : [{ action, from, to, at, block, transactionHash }];
    });
    const [sent, others] = [changes.filter(isSent), changes.filter((change) => !isSent(change))];
    if (others.length > 0) await this.write(others);
    // Each by itself: what follows from one is of its own tree.
    await doAll(sent.map((change) => () => this.write([change])));
    await this.awaitNoMore(
      actions.filter((action, place) => rows[place]?.is_awaited && isAnswered(action, standings[place], at)),
    );
    return !rows.some(({ told_status: told }, place) => told === 'confirmed' && standings[place]?.status === 'unknown');
  }

  /** What follows from a transaction that the chain did not know yet when it was handed in. The action's row is locked. */
  private async followUp(manager: EntityManager, { id, kind }: ListedAction): Promise<void> {
    if (!isPreparableKind(kind)) return;
    const action = await manager.findOneByOrFail(PreparedActionEntity, { id });
    await this.kinds.implementationOf(kind).onSent?.(manager, action);
  }

  private async awaitNoMore(actions: readonly ListedAction[]): Promise<void> {
    if (actions.length === 0) return;
    await runPrepared(this.transactions.manager, AWAIT_NO_MORE, [
      actions.map(({ id }) => id),
      actions.map(({ submittedAt }) => submittedAt),
      actions.map(({ secondAt }) => secondAt),
    ]);
  }

  private async write(changes: readonly Change[]): Promise<void> {
    await this.transactions.run(async (manager) => {
      const written = await runPrepared<{ id: string }>(manager, TELL, [
        changes.map(({ action }) => action.id),
        changes.map(({ from }) => from),
        changes.map(({ to }) => to),
        changes.map(({ block }) => block?.toString() ?? null),
      ]);
      const told = new Set(written.map(({ id }) => id));
      const news = changes.filter(({ action }) => told.has(action.id));
      for (const { action } of news.filter(isSent)) await this.followUp(manager, action);
      await recordEvents(
        manager,
        news.map((change) => actionEvent(change.action, change)),
      );
    });
  }
}

/** True once the chain has said all that it is asked for: a second transaction may still come to be known beside the first. */
function isAnswered(action: ListedAction, standing: ListedStanding | undefined, at: Date): boolean {
  if (standing === undefined || standing.status === 'unknown') return false;
  return action.secondAt === null || isHintOver(action, at.getTime());
}

function isSent({ to }: Change): boolean {
  return to === 'submitted';
}

/** The place behind rows of which there may be more; the beginning when there are none. */
function placeBehind(rows: readonly FollowedRow[], atOnce: number, timeOf: (row: FollowedRow) => Date | null): Place {
  const last = rows.at(-1);
  const at = last === undefined || rows.length < atOnce ? null : timeOf(last);
  return last === undefined || at === null ? BEGINNING : { at, id: last.id };
}

/** Does one after the other, also what comes after one that failed. @throws the first error, once all is done. */
async function doAll(looks: readonly (() => Promise<void>)[]): Promise<void> {
  const done = (look: () => Promise<void>): Promise<boolean> => look().then(() => true);
  await sweepEach(looks, done, MOST_FAILED);
}

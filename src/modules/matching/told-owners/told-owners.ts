import { Injectable, Logger } from '@nestjs/common';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { EventType, RecordedEvent } from '../../events/catalogue/event.js';
import { LOG_END, PUBLIC_BATCH, PUBLIC_TASKS_BEHIND, type PublicTaskRow } from '../../events/events.sql-views.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import { TaskRanking } from '../ranking/task-ranking.js';
import { matchedEvents } from './matched-event.js';
import { TELL_TO, TOLD_TO } from './told-matches.sql.js';

/** Times that the ranking of a task is tried before its owners go without news: no task may keep the others waiting. */
const TRIES = 3;
/** Type of the events that are followed. */
const OPENED: EventType = 'task.opened';
/** An account that is no party of anything: it sees what everybody sees. */
const NOBODY = '';

/**
 * Tells the owners of matching agents of public tasks as they open. It follows the log of events, in which an opening stands
 * once, and notes how far it is in the transaction that records what it tells: so each owner is told once, whichever process
 * does it and wherever one ends.
 */
@Injectable()
export class ToldOwners {
  private readonly logger = new Logger('matching');
  /** The end of the log when all of it was looked at for the last time; null: not known. */
  private lookedTo: string | null = null;
  private failures = 0;

  constructor(
    private readonly reads: ReadConnections,
    private readonly transactions: Transactions,
    private readonly tasks: TaskAccess,
    private readonly ranking: TaskRanking,
    private readonly clock: Clock,
  ) {}

  /**
   * Tells of all tasks that were opened since the last call, by whichever process. Costs one look at the end of the log when
   * that has not moved. @param signal ends it after the task that it is at.
   */
  async follow(signal?: AbortSignal): Promise<void> {
    const [head] = await this.read<{ last: string }>(LOG_END, []);
    const end = head?.last ?? '0';
    while (end !== this.lookedTo && !signal?.aborted) if (!(await this.tellNext(signal))) this.lookedTo = end;
  }

  /** Goes through some openings behind the noted position. Resolves to false when there are no more. */
  private async tellNext(signal?: AbortSignal): Promise<boolean> {
    const [place] = await this.read<{ told_to: string }>(TOLD_TO, []);
    if (!place) throw new Error('The row of told_matches is missing');
    const opened = await this.read<PublicTaskRow>(PUBLIC_TASKS_BEHIND, [place.told_to, OPENED]);
    let toldTo = place.told_to;
    for (const { sequence, taskId } of opened) {
      if (signal?.aborted) return true;
      if (!(await this.tell(toldTo, sequence, await this.eventsOf(taskId)))) return true;
      toldTo = sequence;
    }
    return opened.length === PUBLIC_BATCH;
  }

  /** Nothing for a task that takes no offers any more, or that not everybody sees. */
  private async eventsOf(taskId: string): Promise<RecordedEvent<'task.matched'>[]> {
    try {
      const task = await this.openTask(taskId);
      const events = task ? matchedEvents(task, await this.ranking.placesFor(task), this.clock.now()) : [];
      this.failures = 0;
      return events;
    } catch (error) {
      this.failures += 1;
      if (this.failures < TRIES) throw error;
      this.failures = 0;
      this.logger.warn(`Nobody is told whose agents match the task ${taskId}: ${String(error)}`);
      return [];
    }
  }

  private async openTask(taskId: string): Promise<TaskEntity | null> {
    try {
      const task = await this.tasks.find(NOBODY, taskId);
      return task.status === 'open' ? task : null;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** Resolves to false when another process has told meanwhile; then nothing is told here. */
  private tell(from: string, to: string, events: readonly RecordedEvent<'task.matched'>[]): Promise<boolean> {
    return this.transactions.run(async (manager) => {
      const moved = await runPrepared<{ id: number }>(manager, TELL_TO, [from, to]);
      if (moved.length === 0) return false;
      await recordEvents(manager, events);
      return true;
    });
  }

  private read<Row extends object>({ name, text }: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.reads.queryParsed<Row>(name, text, values);
  }
}

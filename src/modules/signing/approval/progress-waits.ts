import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { headOf } from '../../events/events.sql-views.js';
import { EventTail, type TailReader } from '../../event-feed/stream/event-tail.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { ProgressWaitsSettings } from './progress-waits.settings.js';

type WaitedFor = Pick<PreparedActionEntity, 'id' | 'accountId'>;

/** A page that waits for news of its action. */
export interface ProgressWait {
  /** Resolves at the first event about the action since the wait began, or when there is nothing to wait for any more. */
  readonly over: Promise<void>;
  /** Ends it. May be called again. */
  end(): void;
}

/**
 * Pages that wait until the log tells something of their action. Each hears of it from the one reader of the log that the
 * process has, and costs the database nothing while it waits.
 */
@Injectable()
export class ProgressWaits implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('signing');
  private readonly waiting = new Set<ProgressWait>();
  private readonly pausing = new Set<ProgressWait>();
  private readonly byAccount = new Map<string, number>();
  private isStopping = false;

  constructor(
    private readonly tail: EventTail,
    private readonly metrics: Metrics,
    private readonly settings: ProgressWaitsSettings,
  ) {}

  onModuleInit(): void {
    this.metrics.addGauge('approval_pages_waiting', 'Approval pages that wait for news', () => this.waiting.size);
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /** Ends every wait, and begins no other: the service stops, and would otherwise wait for the longest of them. */
  endAll(): void {
    this.isStopping = true;
    for (const wait of [...this.waiting, ...this.pausing]) wait.end();
  }

  /**
   * Begins to wait, for no longer than the page can: what is told of the action from now on ends the wait. When too many
   * wait already or the log cannot be read it is only a pause, after which the page asks again; null when the service stops.
   * Whoever has begun must end it.
   * @param response of the page's request; the wait ends with its connection.
   * @param askedMs milliseconds after which it ends, a pause as well: a client that says so pays for each question with its key.
   *   Absent: as long as a page can wait.
   */
  async begin(action: WaitedFor, response: Response, askedMs?: number): Promise<ProgressWait | null> {
    const { longestMs, pauseMs } = this.settings;
    const pause = (): ProgressWait => this.pause(response, askedMs ?? pauseMs);
    const { accountId } = action;
    const own = this.byAccount.get(accountId) ?? 0;
    if (this.isStopping) return null;
    if (this.waiting.size >= this.settings.most || own >= this.settings.mostOfAccount) return pause();
    const reader: TailReader = {
      accountId,
      receive: (events) => {
        if (events.some((event) => event.type.startsWith('action.') && headOf(event).subject.id === action.id))
          wait.end();
      },
    };
    const wait = waitOf(response, askedMs ?? longestMs, () => {
      this.tail.leave(reader);
      this.waiting.delete(wait);
      this.release(accountId);
    });
    this.waiting.add(wait);
    this.byAccount.set(accountId, own + 1);
    try {
      await this.tail.join(reader);
      return wait;
    } catch (error) {
      this.logger.debug(`Pages hear nothing while the log cannot be read: ${String(error)}`);
      wait.end();
      return pause();
    }
  }

  private pause(response: Response, ms: number): ProgressWait {
    const wait = waitOf(response, ms, () => this.pausing.delete(wait));
    this.pausing.add(wait);
    return wait;
  }

  private release(accountId: string): void {
    const left = (this.byAccount.get(accountId) ?? 1) - 1;
    if (left > 0) this.byAccount.set(accountId, left);
    else this.byAccount.delete(accountId);
  }
}

/** Ends by itself after this many milliseconds, and with the connection. @param atEnd is called once. */
function waitOf(response: Response, ms: number, atEnd: () => void): ProgressWait {
  let isOver = false;
  let resolve = (): void => undefined;
  const over = new Promise<void>((done) => (resolve = done));
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    response.off('close', end);
    atEnd();
    resolve();
  };
  const timer = setTimeout(end, ms).unref();
  response.once('close', end);
  return { over, end };
}

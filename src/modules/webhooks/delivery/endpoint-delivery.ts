import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '#libs/kernel';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Clock } from '../../../platform/time/clock.js';
import { eventsBehind, headOf, type LoggedEvent } from '../../events/events.sql-views.js';
import { disableEndpoint } from '../endpoints/disable-endpoint.js';
import { COUNT_WAITING } from '../endpoints/endpoint-rows.sql.js';
import { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import {
  ALL_DUE,
  DUE_RETRIES,
  type DueRetry,
  FORGET_RETRY,
  type HeldEndpoint,
  HOLD,
  INSERT_ATTEMPT,
  KEEP_RETRY,
  LEAVE_ALONE,
  LET_GO,
  LOCK_HELD,
  NOT_TAKEN,
  PASS,
  TAKEN,
  TEST_TYPE,
  WAIT_FOR_FIRST,
} from './delivery.sql.js';
import { DISABLED_AFTER_MS, DOWN_AFTER, nextTry, silenceAsked } from './retry-schedule.js';
import { SignedSender } from './signed-sender.js';
import type { SendOutcome } from './webhook-sender.js';

/** Events that are read from the log at a time. */
const PAGE = 20;
/** For how long one endpoint is worked on; then another one that waits has its place. */
const TURN_MS = 20_000;
/** So many events that fail in a row are an outage of the receiver, and not an event that it cannot take. */
const OUTAGE_FROM = 2;
/** For how long an endpoint is left alone after a fault of the service. */
const FAULT_PAUSE_MS = 60_000;
/** An endpoint whose answer takes longer is a slow one. */
const SLOW_MS = 2_000;

/** An event that an endpoint is to get. */
interface Item {
  readonly sequence: string;
  readonly eventId: string;
  readonly document: string;
  /** What is known of the attempts before; null: it comes from the log. */
  readonly retry: DueRetry | null;
}

/** What follows from an attempt. */
interface Attempted {
  /** False: the endpoint is left alone for now. */
  readonly goesOn: boolean;
  /** Until when, where it was tried again in vain and the endpoint is down; null otherwise. */
  readonly downUntil: Date | null;
}

const LEFT_ALONE: Attempted = { goesOn: false, downUntil: null };

/**
 * Delivers to one endpoint: what is to be tried again first, then what is behind its position in the log, one event after the
 * other. Every attempt is recorded by a transaction of its own, after it was made: if the process ends in between, the event is
 * sent again with the same id, and none is left out.
 */
@Injectable()
export class EndpointDelivery {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly sender: SignedSender,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Works on an endpoint until it has everything, fails, or its turn is over.
   * @param holder of its lease, which is given back at the end.
   */
  async run(id: string, holder: string, signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + TURN_MS;
    const isOver = () => signal.aborted || performance.now() >= endMs;
    try {
      while (!isOver()) if (!(await this.runBatch(id, holder, isOver))) return;
    } catch (error) {
      // Whatever it is, such as a secret that cannot be opened, is there at the next moment, too.
      const until = new Date(this.clock.now().getTime() + FAULT_PAUSE_MS);
      await this.transactions.manager.query(LEAVE_ALONE, [id, until]);
      throw error;
    } finally {
      await this.transactions.manager.query(LET_GO, [id, holder]);
    }
  }

  /** Returns true when there may be more. */
  private async runBatch(id: string, holder: string, isOver: () => boolean): Promise<boolean> {
    let endpoint = await this.hold(id, holder);
    if (!endpoint) return false;
    const items = await this.next(endpoint);
    let position = endpoint.position;
    for (const [index, item] of items.entries()) {
      if (isOver()) return false;
      // Read anew before each attempt, so that whatever has ended meanwhile gets nothing more.
      if (index > 0) endpoint = await this.hold(id, holder);
      if (!endpoint) return false;
      if (item.retry === null) {
        // A replay has moved it, or too much waits.
        if (endpoint.position !== position || !endpoint.cursor_goes_on) return true;
        position = item.sequence;
        if (isForAnother(item, endpoint)) {
          await this.transactions.manager.query(PASS, [id, holder, endpoint.position, item.sequence]);
          continue;
        }
      }
      const { goesOn, downUntil } = await this.attempt(endpoint, holder, item);
      if (!goesOn) return downUntil !== null && this.tryAnother(endpoint.id, holder, items.slice(index + 1), downUntil);
    }
    return items.length > 0;
  }

  /**
   * Tries one more of the events that wait for an endpoint that is down, when the first has failed: that may be an event
   * which it cannot take, and the endpoint be back. Of those, the one that was tried least, so that each has its turn.
   * Returns true when it was taken.
   */
  private async tryAnother(id: string, holder: string, others: readonly Item[], downUntil: Date): Promise<boolean> {
    const [other] = others.toSorted((a, b) => (a.retry?.tries ?? 0) - (b.retry?.tries ?? 0));
    const endpoint = other && (await this.hold(id, holder));
    return endpoint ? (await this.attempt(endpoint, holder, other, downUntil)).goesOn : false;
  }

  private async hold(id: string, holder: string): Promise<HeldEndpoint | null> {
    const values = [id, holder, this.clock.now(), this.clock.wall()];
    const [rows] = await this.transactions.manager.query<[HeldEndpoint[]]>(HOLD, values);
    return rows[0] ?? null;
  }

  private async next({ id, account_id: accountId, types, position, cursor_goes_on }: HeldEndpoint): Promise<Item[]> {
    const { manager } = this.transactions;
    const due = await manager.query<DueRetry[]>(DUE_RETRIES, [id, this.clock.now()]);
    if (due.length > 0) return this.kept(id, due);
    if (!cursor_goes_on) return [];
    const values = types === null ? [accountId, position] : [accountId, position, [...types, TEST_TYPE]];
    const events = await runPrepared<LoggedEvent>(
      manager,
      eventsBehind(PAGE, { byTypes: types !== null, byTask: false }),
      values,
    );
    return events.map((event) => ({ ...event, eventId: headOf(event).id, retry: null }));
  }

  /** Those that the log still has; the others are forgotten. */
  private async kept(id: string, due: readonly DueRetry[]): Promise<Item[]> {
    const items: Item[] = [];
    for (const retry of due) {
      const { sequence, document, event_id: eventId } = retry;
      if (document === null) await this.transactions.manager.query(FORGET_RETRY, [id, sequence]);
      else items.push({ sequence, document, eventId, retry });
    }
    if (items.length < due.length) await this.transactions.manager.query(COUNT_WAITING, [id]);
    return items;
  }

  /** Sends one event and records how that went. @param notBefore before which the event is not tried again. */
  private async attempt(
    endpoint: HeldEndpoint,
    holder: string,
    item: Item,
    notBefore: Date | null = null,
  ): Promise<Attempted> {
    const outcome = await this.sender.send(endpoint, item.eventId, item.document);
    if (!outcome) return LEFT_ALONE;
    const isTaken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    this.metrics.countWebhook(isTaken ? 'taken' : (outcome.failure ?? 'refused'));
    return this.transactions.run(async (manager) => {
      const held = await manager.query<unknown[]>(LOCK_HELD, [endpoint.id, holder]);
      if (held.length === 0) return LEFT_ALONE;
      await this.recordAttempt(manager, endpoint, item, outcome);
      if (item.retry === null) {
        await manager.query(PASS, [endpoint.id, holder, endpoint.position, item.sequence]);
      }
      return isTaken
        ? this.recordTaken(manager, endpoint, item, outcome)
        : this.recordFailure(manager, endpoint, item, outcome, notBefore);
    });
  }

  private async recordAttempt(
    manager: EntityManager,
    { id, account_id: accountId }: HeldEndpoint,
    { eventId }: Item,
    { status, failure, durationMs, answer }: SendOutcome,
  ): Promise<void> {
    const now = this.clock.now();
    const attemptId = newId('wha', now.getTime());
    await manager.query(INSERT_ATTEMPT, [attemptId, id, accountId, eventId, now, status, failure, durationMs, answer]);
  }

  private async recordTaken(
    manager: EntityManager,
    { id, failed_in_a_row: failed }: HeldEndpoint,
    { sequence, retry }: Item,
    { durationMs }: SendOutcome,
  ): Promise<Attempted> {
    await manager.query(TAKEN, [id, durationMs > SLOW_MS]);
    if (retry) await manager.query(FORGET_RETRY, [id, sequence]);
    if (retry) await manager.query(COUNT_WAITING, [id]);
    if (failed >= OUTAGE_FROM) await manager.query(ALL_DUE, [id, this.clock.now()]);
    return { goesOn: true, downUntil: null };
  }

  private async recordFailure(
    manager: EntityManager,
    endpoint: HeldEndpoint,
    { sequence, eventId, retry }: Item,
    { status, retryAfter }: SendOutcome,
    notBefore: Date | null,
  ): Promise<Attempted> {
    const { id } = endpoint;
    const now = this.clock.now();
    const silentUntil = silenceAsked(status, retryAfter, now);
    await manager.query(NOT_TAKEN, [id, now, retry ? 0 : 1, silentUntil ?? now]);
    const isDown = endpoint.failed_in_a_row + (retry ? 0 : 1) >= DOWN_AFTER;
    const failed = { tries: (retry?.tries ?? 0) + 1, since: retry?.since ?? now, isDown };
    const tryAt = nextTry(failed, now);
    const nextAt = tryAt && notBefore && tryAt < notBefore ? notBefore : tryAt;
    await manager.query(KEEP_RETRY, [id, sequence, eventId, failed.tries, nextAt, failed.since]);
    if (isDown && nextAt) await manager.query(WAIT_FOR_FIRST, [id, nextAt]);
    await manager.query(COUNT_WAITING, [id]);
    const hasFailedLong = now.getTime() - (endpoint.failing_since ?? now).getTime() >= DISABLED_AFTER_MS;
    if (status === 410 || hasFailedLong) {
      const row = await manager.findOneByOrFail(WebhookEndpointEntity, { id });
      await disableEndpoint(manager, row, status === 410 ? 'gone' : 'failing', now);
      return LEFT_ALONE;
    }
    if (silentUntil !== null) return LEFT_ALONE;
    return { goesOn: !isDown, downUntil: isDown && retry ? nextAt : null };
  }
}

/** A test is for the endpoint that is tested, and for no other one of the account. */
function isForAnother(item: Item, { id }: HeldEndpoint): boolean {
  const { type, subject } = headOf(item);
  return type === TEST_TYPE && subject.id !== id;
}

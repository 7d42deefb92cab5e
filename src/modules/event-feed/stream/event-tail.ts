import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { ChannelListener } from '../../../platform/database/notifications/channel-listener.js';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { EVENTS_CHANNEL } from '../../events/log/event-sequencer.sql.js';
import { LOG_END } from '../../events/events.sql-views.js';
import { EVENTS_BEHIND, TAIL_BATCH, type TailRow } from '../../events/log/event-tail.sql.js';
import { PUBLIC } from '../../events/log/record-events.sql.js';
import type { PastEvent } from '../reading/past-events.js';
import { EventStreamSettings } from './event-stream.settings.js';
import { frameOf } from './stream-frames.js';

/** Makes the bytes of some events of one batch; made once for all readers of the same ones. */
export type EncodeEvents = (events: readonly PastEvent[]) => Buffer;

/** Who hears of new events. */
export interface TailReader {
  readonly accountId: string;
  /** Gets events that the account may read, in their order. */
  receive(events: readonly PastEvent[], encode: EncodeEvents): void;
}

/**
 * Reads each new event once, however many streams this process has, and hands it to those whose account may read it. It
 * looks when the log says that there is something new, and once a second for the case that this was not heard; while there
 * is no reader, it does not look.
 */
@Injectable()
export class EventTail implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('events');
  private readonly listener: ChannelListener;
  private readonly readers = new Map<string, Set<TailReader>>();
  /** The last position that was handed out; null while there is no reader. */
  private position: number | null = null;
  private starting: Promise<number> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();
  private isReading = false;
  private isWanted = false;
  private isFailing = false;

  constructor(
    { databaseUrl }: Environment,
    private readonly reads: ReadConnections,
    private readonly settings: EventStreamSettings,
  ) {
    this.listener = new ChannelListener({
      databaseUrl,
      channel: EVENTS_CHANNEL,
      application: 'tasktree-event-tail',
      onNotification: (end) => this.hear(Number(end)),
      onListening: () => this.look(),
      onFailure: (error) => this.logger.warn(`New events are noticed late: ${String(error)}`),
    });
  }

  onApplicationBootstrap(): void {
    this.listener.start();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.listener.stop();
    this.position = null;
    await this.reading;
  }

  /**
   * Adds a reader. Returns a position in the log behind which it receives every event, however soon that comes; it may be
   * in the middle of what the reader has received by then. Rejects when the database does.
   */
  async join(reader: TailReader): Promise<number> {
    const own = this.readers.get(reader.accountId) ?? new Set();
    this.readers.set(reader.accountId, own.add(reader));
    return this.position ?? (await (this.starting ??= this.start().finally(() => (this.starting = null))));
  }

  /** Removes a reader, which may have been removed before. */
  leave(reader: TailReader): void {
    const own = this.readers.get(reader.accountId);
    if (!own?.delete(reader) || own.size > 0) return;
    this.readers.delete(reader.accountId);
    if (this.readers.size > 0) return;
    this.position = null;
    clearInterval(this.timer);
  }

  private async start(): Promise<number> {
    const [end] = await this.reads.query<{ last: string }>(LOG_END.name, LOG_END.text, []);
    if (!end) throw new Error('The log has no head');
    const position = Number(end.last);
    // Those who waited may all have left.
    if (this.readers.size > 0) {
      this.position = position;
      clearInterval(this.timer);
      this.timer = setInterval(() => this.look(), this.settings.pollMs).unref();
      this.look();
    }
    return position;
  }

  private hear(end: number): void {
    if (this.position !== null && end > this.position) this.look();
  }

  private look(): void {
    this.isWanted = true;
    if (!this.isReading) this.reading = this.readAll();
  }

  /** Reads until nothing is left. Never rejects: what could not be read is read at the next look. */
  private async readAll(): Promise<void> {
    this.isReading = true;
    try {
      while (this.isWanted && this.position !== null) {
        const from = this.position;
        this.isWanted = false;
        const { name, text } = EVENTS_BEHIND;
        const rows = await this.reads.queryParsed<TailRow>(name, text, [String(from)]);
        // All readers may have left meanwhile, and others begun elsewhere.
        if (this.position !== from) this.isWanted = true;
        else this.handOut(rows);
      }
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn(`Streams stand still until the log can be read: ${String(error)}`);
      this.isFailing = true;
    } finally {
      this.isReading = false;
    }
  }

  private handOut(rows: readonly TailRow[]): void {
    const last = rows.at(-1);
    if (!last) return;
    this.position = Number(last.sequence);
    if (rows.length === TAIL_BATCH) this.isWanted = true;
    const received = new Map<TailReader, PastEvent[]>();
    for (const row of rows) {
      const event = eventOf(row);
      for (const reader of this.readersOf(row)) {
        const events = received.get(reader);
        if (events) events.push(event);
        else received.set(reader, [event]);
      }
    }
    const encode = encoder();
    for (const [reader, events] of received) reader.receive(events, encode);
  }

  private *readersOf({ readers }: TailRow): Iterable<TailReader> {
    if (readers?.[0] === PUBLIC) for (const all of this.readers.values()) yield* all;
    else for (const accountId of readers ?? []) yield* this.readers.get(accountId) ?? [];
  }
}

function eventOf({ sequence, id, type, task_id: taskId, document }: TailRow): PastEvent {
  return { sequence: Number(sequence), id, type: type ?? '', taskId, document };
}

function encoder(): EncodeEvents {
  const known = new Map<string, Buffer>();
  return (events) => {
    const key = events.map(({ id }) => id).join();
    const before = known.get(key);
    if (before) return before;
    const bytes = Buffer.from(events.map(frameOf).join(''), 'utf8');
    known.set(key, bytes);
    return bytes;
  };
}

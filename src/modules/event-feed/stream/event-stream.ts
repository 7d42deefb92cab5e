import { once } from 'node:events';
import type { Response } from 'express';
import type { EventSelection, PastEvent, PastEvents } from '../reading/past-events.js';
import type { EncodeEvents, TailReader } from './event-tail.js';
import type { EventStreamSettings } from './event-stream.settings.js';
import { frameOf, HEARTBEAT } from './stream-frames.js';

/**
 * New events that a stream keeps while it reads older ones; with more, it reads on until it has caught up with them, too.
 */
const MOST_WAITING = 500;

/** Why a stream is over: `slow` when the reader has left too much unread. */
export type StreamEnd = 'closed' | 'ended' | 'slow';

/**
 * One answer that tells events as they come. It never holds more than `bufferedBytes` and one batch for its reader. Whatever
 * ends it, the reader connects anew and goes on behind the last event that it has.
 */
export class EventStream implements TailReader {
  readonly accountId: string;
  private readonly types: ReadonlySet<string> | null;
  private readonly taskId: string | undefined;
  /** Of the last event that was written, or where the stream began. */
  private position = 0;
  /** Events that have come while older ones are read; null once all of those are written. */
  private waiting: PastEvent[] | null = [];
  private hasOverflown = false;
  private heartbeat: NodeJS.Timeout | undefined;
  private ending: NodeJS.Timeout | undefined;
  private over = false;

  /** @param onOver called once, when the stream is over for whatever reason, also before it began. */
  constructor(
    { accountId, types, taskId }: EventSelection,
    private readonly response: Response,
    private readonly settings: EventStreamSettings,
    private readonly onOver: (why: StreamEnd) => void,
  ) {
    this.accountId = accountId;
    this.types = types ? new Set(types) : null;
    this.taskId = taskId;
    response.once('close', () => this.finish('closed'));
    // A write to a connection that has just gone is an error, which would end the process when nobody heard it.
    response.on('error', () => this.finish('closed'));
  }

  /** True once nothing more is written to it. */
  get isOver(): boolean {
    return this.over;
  }

  /** Sends the head and the first bytes; from now on the stream is kept alive until its time is over. */
  begin(first: string): void {
    const { heartbeatMs, lifetimeMs } = this.settings;
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      // `no-transform`: a proxy that compresses would hold events back.
      'Cache-Control': 'no-store, no-transform',
      // nginx collects an answer before it passes it on, unless it is told not to.
      'X-Accel-Buffering': 'no',
    });
    this.response.write(first);
    this.heartbeat = setInterval(() => this.write(HEARTBEAT), heartbeatMs).unref();
    this.ending = setTimeout(() => this.end(), lifetimeMs).unref();
  }

  /** Goes on with the events that come from now on. @param position behind which the tail gives every event. */
  goLive(position: number): void {
    this.position = position;
    this.handOver();
  }

  /**
   * Writes the events behind a position as fast as the reader takes them, and goes on with those that come. The stream
   * must have joined the tail. Rejects as `read` does.
   * @param read gives the first events behind a position, of those that the stream is for.
   */
  async catchUp(position: number, read: (behind: number) => Promise<PastEvents>): Promise<void> {
    this.position = position;
    for (let isBehind = true; isBehind;) {
      // What comes from now on waits; what has come before is in the log that is read next. So none is left out.
      this.waiting = [];
      this.hasOverflown = false;
      const { events, more } = await read(this.position);
      if (this.over) return;
      this.writeEvents(events, encodeAnew);
      await this.drained();
      if (this.over) return;
      isBehind = more || this.hasOverflown;
    }
    this.handOver();
  }

  receive(events: readonly PastEvent[], encode: EncodeEvents): void {
    if (this.waiting === null)
      return this.writeEvents(
        events.filter((event) => this.wants(event)),
        encode,
      );
    for (const event of events) {
      if (!this.wants(event)) continue;
      if (this.waiting.length === MOST_WAITING) this.hasOverflown = true;
      else this.waiting.push(event);
    }
  }

  /**
   * Ends the answer as a whole one. What the reader does not take in time is dropped. Before the stream has begun, the answer
   * is left to whoever was to begin it: an empty one would be no stream, and no refusal either.
   */
  end(): void {
    if (this.over) return;
    this.finish('ended');
    if (!this.response.headersSent) return;
    this.response.end();
    const cut = setTimeout(() => this.response.destroy(), this.settings.graceMs).unref();
    this.response.once('close', () => clearTimeout(cut));
  }

  /** Gives the stream up before it has begun; the answer is somebody else's. */
  abandon(): void {
    this.finish('closed');
  }

  private handOver(): void {
    const waited = this.waiting ?? [];
    this.waiting = null;
    this.writeEvents(waited, encodeAnew);
  }

  private wants({ type, taskId }: PastEvent): boolean {
    if (this.types && !this.types.has(type)) return false;
    return this.taskId === undefined || this.taskId === taskId;
  }

  /** Writes those that are behind the last one written. */
  private writeEvents(events: readonly PastEvent[], encode: EncodeEvents): void {
    const next = events.filter(({ sequence }) => sequence > this.position);
    const last = next.at(-1);
    if (!last) return;
    this.position = last.sequence;
    this.write(encode(next));
  }

  private write(chunk: string | Buffer): void {
    if (this.over) return;
    if (this.response.writableLength <= this.settings.bufferedBytes) {
      this.response.write(chunk);
      return;
    }
    this.finish('slow');
    this.response.destroy();
  }

  /** Resolves once the reader has taken what was written, or is gone. */
  private async drained(): Promise<void> {
    while (this.response.writableNeedDrain && !this.over) {
      const settled = new AbortController();
      const { signal } = settled;
      await Promise.race([once(this.response, 'drain', { signal }), once(this.response, 'close', { signal })]).catch(
        () => undefined,
      );
      settled.abort();
    }
  }

  private finish(why: StreamEnd): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.ending);
    this.waiting = null;
    this.onOver(why);
  }
}

const encodeAnew: EncodeEvents = (events) => Buffer.from(events.map(frameOf).join(''), 'utf8');

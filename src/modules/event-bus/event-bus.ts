import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { LOG_END, type LoggedEvent, PUBLIC_BATCH, PUBLIC_EVENTS_BEHIND } from '../events/events.sql-views.js';
import { EVENTS_BEHIND, TAIL_BATCH, type TailRow } from '../events/log/event-tail.sql.js';
import { PUBLIC } from '../events/log/record-events.sql.js';
import { accountMessages, publicMessage } from './bus-message.js';
import { ACCOUNTS_STREAM, PUBLIC_STREAM } from './bus-streams.js';
import { type OpenBus, openBus } from './nats-connection.js';
import { type BusBatch, StreamPublisher } from './stream-publisher.js';

/**
 * Publishes the log of events to NATS JetStream (docs/decisions/events.md#bus). Several may do so at the same moment or end at
 * any point; nothing is lost, doubled or reordered, but they hinder each other.
 */
@Injectable()
export class EventBus {
  private bus: OpenBus | null = null;
  private readonly publishers: readonly StreamPublisher[];
  /** The end of the log when all of it was published for the last time; null: not known. */
  private publishedEnd: string | null = null;
  private waiting: bigint | null = null;

  constructor(
    private readonly settings: Environment,
    private readonly reads: ReadConnections,
  ) {
    this.publishers = [
      new StreamPublisher(PUBLIC_STREAM, settings.baseUrl, (behind) => this.publicBatch(behind)),
      new StreamPublisher(ACCOUNTS_STREAM, settings.baseUrl, (behind) => this.accountsBatch(behind)),
    ];
  }

  /** Position in the log that is not known to be published; null while everything is. */
  get firstWaiting(): bigint | null {
    return this.waiting;
  }

  /**
   * Publishes what is not yet. Costs one look at the end of the log when there is nothing.
   * @param signal ends it after the batch that is under way.
   * @throws Error as soon as something does not answer or cannot be used; the next call goes on.
   */
  async publish(signal: AbortSignal): Promise<void> {
    const [head] = await this.reads.queryParsed<{ last: string }>(LOG_END.name, LOG_END.text, []);
    const end = head?.last ?? '0';
    if (end === this.publishedEnd && this.bus?.isOpen()) return;
    if (end !== this.publishedEnd) this.waiting ??= BigInt(end);
    const bus = await this.connected();
    try {
      // One stream that cannot be used must not keep the events of the other.
      const done = await Promise.allSettled(
        this.publishers.map(async (publisher) => {
          while (!signal.aborted && (await publisher.publishNext(bus)));
        }),
      );
      const failed = done.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    } catch (error) {
      await this.close();
      throw error;
    }
    if (signal.aborted) return;
    this.publishedEnd = end;
    this.waiting = null;
  }

  /** Ends the connection; the next `publish` opens another one. */
  async close(): Promise<void> {
    const { bus } = this;
    this.bus = null;
    await bus?.close();
  }

  private async connected(): Promise<OpenBus> {
    if (this.bus?.isOpen()) return this.bus;
    this.bus = await openBus(this.settings);
    for (const publisher of this.publishers) publisher.forget();
    return this.bus;
  }

  private async publicBatch(behind: string): Promise<BusBatch> {
    const { name, text } = PUBLIC_EVENTS_BEHIND;
    const rows = await this.reads.queryParsed<LoggedEvent>(name, text, [behind]);
    return {
      messages: rows.map((row) => publicMessage(row, this.settings.baseUrl)),
      end: rows.at(-1)?.sequence ?? null,
      more: rows.length === PUBLIC_BATCH,
    };
  }

  private async accountsBatch(behind: string): Promise<BusBatch> {
    const { name, text } = EVENTS_BEHIND;
    const rows = await this.reads.queryParsed<TailRow>(name, text, [behind]);
    const [first] = rows;
    if (first && this.waiting !== null) this.waiting = BigInt(first.sequence);
    return {
      messages: rows.flatMap((row) => {
        const readers = (row.readers ?? []).filter((reader) => reader !== PUBLIC);
        return accountMessages(row, readers, this.settings.baseUrl);
      }),
      end: rows.at(-1)?.sequence ?? null,
      more: rows.length === TAIL_BATCH,
    };
  }
}

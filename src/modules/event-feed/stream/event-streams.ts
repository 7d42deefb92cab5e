import { randomInt } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from '../../../platform/http/api-error.js';
import type { ContextRequest, Principal } from '../../../platform/http/principal.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { CredentialWatch } from '../../credentials/lasting/credential-watch.js';
import type { StreamEventsQuery } from '../dto/stream-events.query.js';
import { EventFeedService } from '../reading/event-feed.service.js';
import type { EventSelection } from '../reading/past-events.js';
import { EventStream, type StreamEnd } from './event-stream.js';
import { EventStreamSettings } from './event-stream.settings.js';
import { EventTail } from './event-tail.js';
import { firstFrame } from './stream-frames.js';

/** So many events of at most 4 KB fill no buffer beyond what may wait. */
const PAGE = 50;
/** A reader connects anew after a time between these two, so that not all come at once after a restart. */
const RETRY_MS = { least: 1_000, most: 3_000 } as const;
/** Seconds after which a refused stream may be asked for again. */
const RETRY_REFUSED_S = 10;

/** The open streams of this process. */
@Injectable()
export class EventStreams implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('events');
  /** By the credential that opened them. */
  private readonly open = new Map<string, Set<EventStream>>();
  private count = 0;
  private isStopping = false;

  constructor(
    private readonly feed: EventFeedService,
    private readonly tail: EventTail,
    private readonly credentials: CredentialWatch,
    private readonly metrics: Metrics,
    private readonly settings: EventStreamSettings,
  ) {}

  onModuleInit(): void {
    this.metrics.addGauge('event_streams_open', 'Streams of events that are open', () => this.count);
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /**
   * Answers with a stream. Resolves once it has begun; it goes on until it ends.
   * @param lastEventId id of the last event that the reader has; it wins over `after`. Empty: as if absent.
   * @throws ApiError `invalid_cursor`, `rate_limited` beyond the streams that a credential may have,
   * `service_unavailable` while the service stops. Nothing has been sent then.
   */
  async answer(
    principal: Principal,
    query: StreamEventsQuery,
    lastEventId: string | undefined,
    response: Response,
  ): Promise<void> {
    const selection = this.feed.select(principal, query);
    const { request, stream } = this.begin(principal, selection, response);
    try {
      const after = await this.feed.positionOf(selection, lastEventId || query.after);
      const present = request.method === 'HEAD' ? 0 : await this.tail.join(stream);
      if (stream.isOver && response.destroyed) return this.tail.leave(stream);
      if (stream.isOver) throw endedTooSoon();
      if (request.method === 'HEAD') return headOnly(stream);
      const id = after === null ? this.feed.cursorAt(selection, present) : null;
      stream.begin(firstFrame(randomInt(RETRY_MS.least, RETRY_MS.most), id));
      if (after === null) stream.goLive(present);
      else this.catchUp(stream, selection, Number(after));
    } catch (error) {
      // Also where it was over before it joined.
      this.tail.leave(stream);
      stream.abandon();
      throw error;
    }
  }

  /** Ends all streams and lets none begin any more: the process stops. */
  endAll(): void {
    this.isStopping = true;
    for (const streams of this.open.values()) for (const stream of streams) stream.end();
  }

  private begin(
    principal: Principal,
    selection: EventSelection,
    response: Response,
  ): { request: ContextRequest; stream: EventStream } {
    const request = response.req as ContextRequest;
    if (this.isStopping) throw new ApiError('service_unavailable', 'The service is stopping.');
    const { credentialId } = principal;
    const own = this.open.get(credentialId) ?? new Set();
    if (own.size >= this.settings.perCredential) {
      request.context.limitOutcome = 'event-streams';
      throw new ApiError(
        'rate_limited',
        `The credential has ${this.settings.perCredential} streams open, which is the most.`,
        'Close one; a stream without `types` and `task_id` tells all that the caller may see.',
        { 'Retry-After': String(RETRY_REFUSED_S) },
      );
    }
    const over = (why: StreamEnd): void => {
      unwatch();
      this.tail.leave(stream);
      if (own.delete(stream)) this.count -= 1;
      if (own.size === 0) this.open.delete(credentialId);
      if (why === 'slow') this.metrics.countSlowStream();
    };
    const stream: EventStream = new EventStream(selection, response, this.settings, (why) => over(why));
    const unwatch = this.credentials.watch(principal, () => stream.end());
    this.open.set(credentialId, own.add(stream));
    this.count += 1;
    // Whoever went away before is not told of any more.
    if (response.destroyed) stream.abandon();
    return { request, stream };
  }

  private catchUp(stream: EventStream, selection: EventSelection, after: number): void {
    stream
      .catchUp(after, (behind) => this.feed.eventsBehind(selection, behind, PAGE))
      .catch((error: unknown) => {
        // The reader has begun to read, so that it can be told only by the end; it asks anew, and is told then.
        this.logger.warn(`A stream ends because older events cannot be read: ${String(error)}`);
        stream.end();
      });
  }
}

/** The process stops, or the credential has ended while the beginning was looked up; the next request is told which. */
function endedTooSoon(): ApiError {
  return new ApiError('service_unavailable', 'The stream ended before it had begun.', 'Connect again.');
}

/** The head of a stream, to who asks for no more. */
function headOnly(stream: EventStream): void {
  stream.begin('');
  stream.end();
}

import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Clock } from '../../../platform/time/clock.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import { LOG_END } from '../../events/events.sql-views.js';
import { ENDPOINTS_NOW, type EndpointsNow, TAKE_UP } from './delivery.sql.js';
import { EndpointDelivery } from './endpoint-delivery.js';
import { WebhookSender } from './webhook-sender.js';

/** How often the end of the log is looked at. */
const INTERVAL_MS = 100;
/** How often endpoints are looked for although the log has not grown: an event may be due again. */
const LOOK_MS = 1_000;
/** How long attempts that are under way may go on when the process is to end. */
const GRACE_MS = 3_000;
/** Endpoints that one process delivers to at the same moment. */
const PLACES = 32;
/** Those of them that the slow and failing ones share: however many there are, the others have the rest. */
const SLOW_PLACES = 16;

/**
 * Delivers events to the endpoints. Every process does: an endpoint is taken up by one of them at a time, by a lease on its
 * row, so a process that is killed holds it up for no longer than that, and a second process doubles the places.
 */
@Injectable()
export class WebhookDeliveryRunner extends RegularWork implements OnModuleInit {
  private readonly log = new Logger('webhooks');
  private readonly stopping = new AbortController();
  private readonly busy = { quick: new Set<Promise<void>>(), slow: new Set<Promise<void>>() };
  private seen = '';
  private lookedMs = -Infinity;
  private slowestSeconds = 0;
  /** Without one, the end of the log is nothing to look at. */
  private hasEndpoints = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly reads: ReadConnections,
    private readonly clock: Clock,
    private readonly delivery: EndpointDelivery,
    private readonly sender: WebhookSender,
    private readonly metrics: Metrics,
  ) {
    super('webhooks', INTERVAL_MS, 'Webhooks are not delivered');
  }

  onModuleInit(): void {
    const help = 'For how long the endpoint that has failed longest has taken no event; 0 while all take theirs';
    this.metrics.addGauge('webhook_slowest_endpoint_seconds', help, () => this.slowestSeconds);
  }

  override async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await super.onModuleDestroy();
    // Most are answered and recorded by then; what is cut is sent again by another process.
    const cutting = setTimeout(() => this.sender.cut(), GRACE_MS);
    await this.settled();
    clearTimeout(cutting);
  }

  /** Looks when there is reason to. Returns how many endpoints get something. */
  override async sweep(): Promise<number> {
    const isLookDue = performance.now() - this.lookedMs >= LOOK_MS;
    if (!this.hasEndpoints && !isLookDue) return 0;
    const [end] = await this.reads.queryParsed<{ last: string }>(LOG_END.name, LOG_END.text, []);
    const last = end?.last ?? '';
    if (last === this.seen && !isLookDue) return 0;
    this.seen = last;
    return this.look();
  }

  /** Looks for endpoints with something to get, and begins with them. Returns how many those are. */
  async look(): Promise<number> {
    this.lookedMs = performance.now();
    const { name, text } = ENDPOINTS_NOW;
    const [now] = await this.reads.queryParsed<EndpointsNow>(name, text, [this.clock.now()]);
    this.slowestSeconds = now?.slowest ?? 0;
    this.hasEndpoints = now?.some ?? false;
    if (!this.hasEndpoints) return 0;
    return (await this.take('quick', PLACES - SLOW_PLACES)) + (await this.take('slow', SLOW_PLACES));
  }

  /** Resolves when nothing is under way in this process. For specs. */
  async settled(): Promise<void> {
    while (this.busy.quick.size + this.busy.slow.size > 0) await Promise.all([...this.busy.quick, ...this.busy.slow]);
  }

  private async take(lane: 'quick' | 'slow', places: number): Promise<number> {
    const free = places - this.busy[lane].size;
    if (free <= 0 || this.stopping.signal.aborted) return 0;
    const holder = randomUUID();
    const values = [lane === 'slow', this.clock.now(), this.clock.wall(), free, holder];
    const [rows] = await this.transactions.manager.query<[{ id: string }[]]>(TAKE_UP, values);
    for (const { id } of rows) this.start(lane, id, holder);
    return rows.length;
  }

  private start(lane: 'quick' | 'slow', id: string, holder: string): void {
    const running = this.delivery
      .run(id, holder, this.stopping.signal)
      .catch((error: unknown) => this.log.warn(`Deliveries to ${id} stop until the next round: ${String(error)}`))
      .finally(() => {
        this.busy[lane].delete(running);
        // More may have come for it, or others wait for the place.
        this.lookedMs = -Infinity;
      });
    this.busy[lane].add(running);
  }
}

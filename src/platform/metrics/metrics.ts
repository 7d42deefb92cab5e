import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from a cached list to the slowest request that is not cut off. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The facts of one request that are counted. */
export interface RequestSample {
  /** Route template, never a path: the number of series is bounded. */
  route: string;
  method: string;
  status: number;
  seconds: number;
  limitOutcome?: string | undefined;
  idempotencyOutcome?: string | undefined;
}

/** The numbers of this process, for the management listener's `/metrics`. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly durations = new Map<string, Histogram.Internal<'route' | 'method' | 'status'>>();

  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first middleware to the end of the response',
    labelNames: ['route', 'method', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });

  private readonly denials = new Counter({
    name: 'rate_limit_denials_total',
    help: 'Requests refused with 429, by bucket',
    labelNames: ['bucket'],
    registers: [this.registry],
  });

  private readonly refusedConnections = new Counter({
    name: 'connections_refused_total',
    help: 'Connections closed because their address had too many open',
    registers: [this.registry],
  });

  private readonly idempotency = new Counter({
    name: 'idempotency_outcomes_total',
    help: 'Keyed requests, by what became of them',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly prepared = new Counter({
    name: 'prepared_actions_total',
    help: 'Actions prepared, by kind',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  private readonly webhooks = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts to deliver an event, by what became of them',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly downloads = new Counter({
    name: 'link_downloads_total',
    help: 'Openings of links to whole artifacts and to previews that were answered',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  private readonly downloadBytes = new Counter({
    name: 'link_download_bytes_total',
    help: 'Bytes that were read for links to whole artifacts',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  private readonly failedRemovals = new Counter({
    name: 'artifact_removals_failed_total',
    help: 'Attempts to remove an artifact whose custody is over that failed',
    registers: [this.registry],
  });

  private readonly endpointLooks = new Counter({
    name: 'agent_endpoint_looks_total',
    help: 'Looks at the A2A endpoints of agents, by what they have found',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly slowStreams = new Counter({
    name: 'streams_cut_slow_total',
    help: 'Streams that were cut because their reader left too much unread',
    registers: [this.registry],
  });

  constructor() {
    // Event-loop lag, memory, garbage collection.
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a request that is over. */
  observeRequest({ route, method, status, seconds, limitOutcome, idempotencyOutcome }: RequestSample): void {
    const key = `${method} ${status} ${route}`;
    let series = this.durations.get(key);
    if (series === undefined) {
      series = this.duration.labels({ route, method, status: String(status) });
      this.durations.set(key, series);
    }
    series.observe(seconds);
    if (status === 429) this.denials.inc({ bucket: limitOutcome ?? 'other' });
    if (idempotencyOutcome !== undefined) this.idempotency.inc({ outcome: idempotencyOutcome });
  }

  /** Counts a connection that was not taken. */
  countRefusedConnection(): void {
    this.refusedConnections.inc();
  }

  /** Counts a stream that was cut because its reader was too slow. */
  countSlowStream(): void {
    this.slowStreams.inc();
  }

  /** Counts an action that was prepared. */
  countPreparedAction(kind: string): void {
    this.prepared.inc({ kind });
  }

  /** Counts one opening of a link. */
  countDownload(kind: 'artifact' | 'preview'): void {
    this.downloads.inc({ kind });
  }

  /** Counts bytes on their way to whoever opened a link. */
  countDownloadBytes(kind: 'artifact', bytes: number): void {
    this.downloadBytes.inc({ kind }, bytes);
  }

  /** Counts an attempt to remove an artifact that failed. */
  countFailedRemoval(): void {
    this.failedRemovals.inc();
  }

  /** Counts an attempt to deliver an event. @param outcome one of few words. */
  countWebhook(outcome: string): void {
    this.webhooks.inc({ outcome });
  }

  /** Counts a look at the endpoint of an agent. @param outcome one of few words. */
  countEndpointLook(outcome: string): void {
    this.endpointLooks.inc({ outcome });
  }

  /** A number read when it is asked for, such as the depth of a queue. */
  addGauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect: () => gauge.set(read()) });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything in Prometheus's text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}

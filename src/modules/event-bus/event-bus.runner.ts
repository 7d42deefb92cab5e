import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { SingleProcessRunner } from '../../platform/database/locks/single-process-runner.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Clock } from '../../platform/time/clock.js';
import { EventBus } from './event-bus.js';

/** Half of it is the mean time that an event of the log waits for the bus. */
const INTERVAL_MS = 50;
/** How long the lock, or a failure, is relied on. Two processes that publish for this long only hinder each other. */
const LOCK_TRUSTED_MS = 1_000;

/** Publishes events to the bus, in one of the processes. */
@Injectable()
export class EventBusRunner extends SingleProcessRunner implements OnModuleInit {
  constructor(
    { databaseUrl }: Environment,
    private readonly bus: EventBus,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {
    super(new Logger('event-bus'), {
      databaseUrl,
      lock: { keys: [0x7a5c, 0xb055], application: 'tasktree-event-bus' },
      everyMs: INTERVAL_MS,
      lockTrustedMs: LOCK_TRUSTED_MS,
      failure: 'Events wait in the log and do not reach the bus',
    });
  }

  onModuleInit(): void {
    const help =
      'Age of the oldest event that is not known to be on the bus; 0 while all are, and where another process publishes';
    this.metrics.addGauge('event_bus_lag_seconds', help, () => this.lagSeconds());
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await this.bus.close();
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.bus.publish(signal);
  }

  /** A position in the log is a time in microseconds, or a little more (docs/decisions/events.md#sequence). */
  private lagSeconds(): number {
    const { firstWaiting } = this.bus;
    if (firstWaiting === null || this.isElsewhere) return 0;
    return Math.max(0, this.clock.wallMs() / 1_000 - Number(firstWaiting) / 1_000_000);
  }
}

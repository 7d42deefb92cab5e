import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SingleProcessRunner } from '../../../platform/database/locks/single-process-runner.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { EventPartitions } from '../retention/event-partitions.js';
import { EventSequencer } from './event-sequencer.js';
import { WAITING } from './event-sequencer.sql.js';

/** After a round without events, the most that passes before Postgres waits for them again. */
const INTERVAL_MS = 20;
/** How often a process that does not have the lock, or has failed, asks for it. The head's lock keeps two that sequence apart. */
const LOCK_TRUSTED_MS = 1_000;

/** Moves recorded events into the log, in one of the processes. */
@Injectable()
export class EventSequencerRunner extends SingleProcessRunner implements OnModuleInit {
  /** Age of the oldest event that waited at the last look. */
  private waitedSeconds = 0;
  private lookedMs = 0;
  /** False at the start and after a failure, whose cause may be that a partition is missing. */
  private isPrepared = false;

  constructor(
    { databaseUrl }: Environment,
    private readonly transactions: Transactions,
    private readonly sequencer: EventSequencer,
    private readonly metrics: Metrics,
  ) {
    super(new Logger('events'), {
      databaseUrl,
      lock: { keys: [0x7a5c, 0xe7e2], application: 'tasktree-events' },
      everyMs: INTERVAL_MS,
      lockTrustedMs: LOCK_TRUSTED_MS,
      failure: 'Events are recorded and not shown',
    });
  }

  onModuleInit(): void {
    const help = 'Age of the oldest recorded event that is not in the log; 0 where another process makes the log';
    this.metrics.addGauge('event_sequencer_lag_seconds', help, () => this.lagSeconds());
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    const waiting = await this.waitingSeconds();
    this.waitedSeconds = Math.max(0, waiting ?? 0);
    this.lookedMs = performance.now();
    if (waiting === null) return;
    if (!this.isPrepared) await this.transactions.run((manager) => new EventPartitions(manager).prepare());
    this.isPrepared = false;
    while (!signal.aborted && (await this.sequencer.moveNext()));
    this.isPrepared = true;
    this.waitedSeconds = 0;
  }

  /**
   * Age of the oldest committed event that has no place yet; null when there is none. Below 0 after the database's clock was
   * set back, which must not hold the event up.
   */
  private async waitingSeconds(): Promise<number | null> {
    const [oldest] = await this.ask<{ seconds: number | null }>(WAITING);
    return oldest?.seconds ?? null;
  }

  /** What waited at the last look waits still, unless it was moved: the age grows while the log cannot be written. */
  private lagSeconds(): number {
    return this.waitedSeconds === 0 || this.isElsewhere
      ? 0
      : this.waitedSeconds + (performance.now() - this.lookedMs) / 1000;
  }
}

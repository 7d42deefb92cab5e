import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SessionLock } from '../../../platform/database/session-lock.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { SettledBriefs } from '../briefs/settled-briefs.js';
import { MarketStatistics } from './market-statistics.js';

/** How often it is looked whether there is something to do. */
const INTERVAL_MS = 10_000;
/** How old the count of every word may be. (policy) */
const COUNT_AGE_MS = 3_600_000;

/**
 * Keeps the statistics of the market, and what is made with them, from falling behind: one process of several, which
 * looks every ten seconds and at the start. Each step is a transaction of its own and says how far it came, so that
 * another process goes on where one ended.
 */
@Injectable()
export class StatisticsRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('matching');
  private readonly lock: SessionLock;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    environment: Environment,
    private readonly transactions: Transactions,
    private readonly statistics: MarketStatistics,
    private readonly briefs: SettledBriefs,
    private readonly clock: Clock,
  ) {
    this.lock = new SessionLock(environment.databaseUrl, {
      keys: [0x7a5c, 0x3a7c],
      application: 'tasktree-matching',
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), INTERVAL_MS).unref();
    this.look();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
    await this.lock.release();
  }

  /**
   * Counts everything and rewrites what is too far off. With `isExact` it writes the postings of every agent first, also
   * of those that came without an event, and leaves nothing that is off at all.
   */
  async refresh(isExact = false): Promise<void> {
    if (isExact) await this.statistics.rewriteAll();
    await this.goOn();
    await this.statistics.recount(isExact);
    await this.goOn();
  }

  private look(): void {
    this.running ??= this.turn().finally(() => (this.running = null));
  }

  private async turn(): Promise<void> {
    try {
      if (!(await this.lock.acquire())) return;
      const { counted_ms: countedMs } = await this.statistics.read(this.transactions.manager);
      // Briefs that have no words yet get them before words are counted, and their weights after that.
      if (countedMs === null || this.clock.nowMs() - countedMs > COUNT_AGE_MS) await this.refresh();
      else await this.goOn();
    } catch (error) {
      this.logger.warn(`The statistics of the market stay as they are until the next round: ${String(error)}`);
    }
  }

  private async goOn(): Promise<void> {
    while (!this.stopped && (await this.statistics.rewriteNext()));
    while (!this.stopped && (await this.briefs.weighNext()));
  }
}

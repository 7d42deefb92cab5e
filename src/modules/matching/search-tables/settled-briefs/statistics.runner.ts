import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../../platform/config/environment.js';
import { LockedRunner } from '../../../../platform/database/locks/locked-runner.js';
import { Transactions } from '../../../../platform/database/transactions.js';
import { Clock } from '../../../../platform/time/clock.js';
import { SettledBriefs } from './settled-briefs.js';
import { MarketStatistics } from '../market-statistics.js';

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
export class StatisticsRunner extends LockedRunner {
  constructor(
    { databaseUrl }: Environment,
    private readonly transactions: Transactions,
    private readonly statistics: MarketStatistics,
    private readonly briefs: SettledBriefs,
    private readonly clock: Clock,
  ) {
    super(new Logger('matching'), {
      databaseUrl,
      lock: { keys: [0x7a5c, 0x3a7c], application: 'tasktree-matching' },
      everyMs: INTERVAL_MS,
      failure: 'The statistics of the market stay as they are',
    });
  }

  /**
   * Counts everything and rewrites what is too far off. With `isExact` it writes the postings of every agent first, also
   * of those that came without an event, and leaves nothing that is off at all.
   * @param signal ends it early.
   */
  async refresh(isExact = false, signal?: AbortSignal): Promise<void> {
    if (isExact) await this.statistics.rewriteAll();
    await this.goOn(signal);
    await this.statistics.recount(isExact);
    await this.goOn(signal);
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    const { counted_ms: countedMs } = await this.statistics.read(this.transactions.manager);
    const isDue = countedMs === null || this.clock.nowMs() - countedMs > COUNT_AGE_MS;
    // Briefs that have no words yet get them before words are counted, and their weights after that.
    if (isDue || (await this.briefs.hasUnweighed())) await this.refresh(false, signal);
    else await this.goOn(signal);
  }

  private async goOn(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.statistics.rewriteNext()));
    while (!signal?.aborted && (await this.briefs.weighNext()));
  }
}

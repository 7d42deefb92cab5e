import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../../platform/config/environment.js';
import { SingleProcessRunner } from '../../../../platform/database/locks/single-process-runner.js';
import { runPrepared, Transactions } from '../../../../platform/database/transactions.js';
import { Clock } from '../../../../platform/time/clock.js';
import { SettledBriefs } from './settled-briefs.js';
import { CATCHES_UP } from './settled-briefs.sql.js';
import { MarketStatistics } from '../market-statistics.js';

/** Interval of checking for work. */
const INTERVAL_MS = 10_000;
/** Greatest age of the count of all words. (policy) */
const COUNT_AGE_MS = 3_600_000;

/**
 * Keeps the statistics of the market, and the values computed with them, up to date. One of the processes runs it, at
 * the start and every ten seconds, but while the index catches up only where the count of all words is due: each time the
 * new briefs would change the weights of all others by so much that all are weighed again. Each step is a transaction that
 * stores its progress, so that another process can continue.
 */
@Injectable()
export class StatisticsRunner extends SingleProcessRunner {
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
   * Counts everything and recomputes the values that are too far off. With `isExact` it first rewrites the postings of
   * all agents, including agents inserted without an event, and then recomputes every value that differs at all.
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
    if (!isDue && (await runPrepared(this.transactions.manager, CATCHES_UP, [])).length > 0) return;
    // `refresh` gives new briefs their words before it counts words, and recomputes weights after that.
    if (isDue || (await this.briefs.hasUnweighed())) await this.refresh(false, signal);
    else await this.goOn(signal);
  }

  private async goOn(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.statistics.rewriteNext()));
    while (!signal?.aborted && (await this.briefs.weighNext()));
    while (!signal?.aborted && (await this.briefs.judgeNext()));
  }
}

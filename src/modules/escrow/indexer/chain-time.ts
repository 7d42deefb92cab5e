import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment, LOCAL_CHAIN_ID } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { INDEX_TIP, type NewestBlockRow } from '../escrow.sql-views.js';

const INTERVAL_MS = 250;

/**
 * Moves the service's clock ahead with the local chain when that travels in time, so that a window that is over for the
 * contract is over here too. No public chain has the id of the local chain. On every other chain others make the blocks,
 * and the service's clock is the wall clock.
 */
@Injectable()
export class ChainTime implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Indexer');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** A process that does not index polls the index by a timer; an indexing one calls `follow` after every step. */
  onApplicationBootstrap(): void {
    if (this.environment.indexerEnabled || this.environment.chainId !== LOCAL_CHAIN_ID) return;
    this.timer = setInterval(() => {
      this.running ??= this.followQuietly().finally(() => (this.running = null));
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Sets the clock to the time of the newest indexed block when that is ahead. Rejects with the database's error. */
  async follow(): Promise<void> {
    if (this.environment.chainId !== LOCAL_CHAIN_ID) return;
    const [tip] = await this.transactions.lookUp<NewestBlockRow>(INDEX_TIP, []);
    if (tip) this.clock.runFrom(tip.timestamp.getTime());
  }

  private async followQuietly(): Promise<void> {
    try {
      await this.follow();
    } catch (error) {
      this.logger.debug(`The time of the chain is not known for the moment: ${String(error)}`);
    }
  }
}

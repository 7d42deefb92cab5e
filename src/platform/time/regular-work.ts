import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/**
 * Does its work in rounds, one at a time, for as long as the application runs. A round that fails is logged, and the
 * next round does what it left.
 */
export abstract class RegularWork implements OnApplicationBootstrap, OnModuleDestroy {
  /** True once the application ends: a round that works in batches stops after its batch. */
  protected isEnding = false;
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  /**
   * @param everyMs milliseconds from the beginning of one round to that of the next; one that lasts longer delays it.
   * @param leftBehind what a failed round means, as the beginning of a sentence for the log.
   */
  protected constructor(
    logContext: string,
    private readonly everyMs: number,
    private readonly leftBehind: string,
  ) {
    this.logger = new Logger(logContext);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), this.everyMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isEnding = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** One round; returns how much there was to do. */
  abstract sweep(): Promise<number>;

  /** Begins a round unless one is running. */
  protected begin(): void {
    this.running ??= this.sweepQuietly().finally(() => (this.running = null));
  }

  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`${this.leftBehind} until the next round: ${String(error)}`);
    }
  }
}

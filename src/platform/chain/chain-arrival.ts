import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ChainAwayError, ChainConfigurationError } from './chain-config.js';
import { ChainGate } from './rpc/rpc-endpoint.js';

const EVERY_MS = 500;

/** Waits, in a process that started while the chain was away, until it is back. */
@Injectable()
export class ChainArrival implements OnModuleDestroy {
  /** Resolves when the chain that has come back is not the one that this process works with: it must stop then. */
  readonly refused: Promise<ChainConfigurationError>;
  private refuse: (error: ChainConfigurationError) => void = () => undefined;
  private readonly logger = new Logger('Chain');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly gate: ChainGate) {
    this.refused = new Promise((resolve) => (this.refuse = resolve));
  }

  /** True in a process that started while the chain was away, until it is back. */
  get isAwaited(): boolean {
    return !this.gate.isOpen;
  }

  /** Begins to wait. @param check has to pass, too, before anybody may ask the chain. */
  start(check: () => Promise<void>): void {
    this.gate.shutUntil(check);
    this.logger.warn('The chain is away: what is read is served, and nothing can be prepared until it is back');
    this.running = this.wait();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async wait(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.gate.open();
        return this.logger.log('The chain is back, and it is the one that the database belongs to');
      } catch (error) {
        const isOther = error instanceof ChainConfigurationError && !(error instanceof ChainAwayError);
        if (isOther) return this.refuse(error);
      }
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

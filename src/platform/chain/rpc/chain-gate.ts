import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { ChainUnavailableError } from './chain-unavailable.error.js';

/**
 * Keeps everybody from the chain while nobody has found it to be the one that this process was configured for. It is open
 * from the start, except in a process that started while the chain was away.
 */
@Injectable()
export class ChainGate {
  private readonly checking = new AsyncLocalStorage<true>();
  private checks: (() => Promise<void>)[] = [];

  get isOpen(): boolean {
    return this.checks.length === 0;
  }

  /** Shuts the gate until `check`, which alone may ask the chain meanwhile, has passed beside those of before. */
  shutUntil(check: () => Promise<void>): void {
    this.checks.push(check);
  }

  /** @throws the error of the first check that does not pass; the gate then stays shut. */
  async open(): Promise<void> {
    await this.checking.run(true, async () => {
      for (const check of this.checks) await check();
    });
    this.checks = [];
  }

  /** @throws ChainUnavailableError while the gate is shut, except to a check. */
  pass(): void {
    if (this.isOpen || this.checking.getStore()) return;
    throw new ChainUnavailableError(new Error('it has not answered since this process started'));
  }
}

import { ChainUnavailableError } from './chain-unavailable.error.js';

/** Calls of all owners together: the sockets and the capacity of the endpoint are for everybody. */
const MOST_AT_ONCE = 16;
const MOST_PER_OWNER = 2;
/** How long a call waits for its place. */
const WAIT_MS = 1_500;

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

/**
 * Places for calls that run contracts of strangers, which may be as slow as they like. Each owner has few places, so a
 * slow contract delays nobody but the owner who calls it.
 */
export class ForeignCalls {
  private readonly running = new Map<string, number>();
  private total = 0;
  private waiting: Waiting[] = [];

  /**
   * Makes the call when there is a place for it.
   * @throws ChainUnavailableError when there is none in time; what `call` throws.
   */
  async run<T>(owner: string, call: () => Promise<T>): Promise<T> {
    await this.take(owner);
    try {
      return await call();
    } finally {
      this.leave(owner);
    }
  }

  private async take(owner: string): Promise<void> {
    if (this.admits(owner)) return this.enter(owner);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(new ChainUnavailableError(new Error('Too many calls to contracts of strangers at once')));
      }, WAIT_MS);
      const begin = (): void => {
        clearTimeout(late);
        resolve();
      };
      const waiting: Waiting = { owner, begin };
      this.waiting.push(waiting);
    });
  }

  private leave(owner: string): void {
    this.total -= 1;
    const left = (this.running.get(owner) ?? 1) - 1;
    if (left === 0) this.running.delete(owner);
    else this.running.set(owner, left);
    const next = this.waiting.find((one) => this.admits(one.owner));
    if (next === undefined) return;
    this.waiting = this.waiting.filter((one) => one !== next);
    this.enter(next.owner);
    next.begin();
  }

  private admits(owner: string): boolean {
    return this.total < MOST_AT_ONCE && (this.running.get(owner) ?? 0) < MOST_PER_OWNER;
  }

  private enter(owner: string): void {
    this.total += 1;
    this.running.set(owner, (this.running.get(owner) ?? 0) + 1);
  }
}

import type { Clock } from '../../time/clock.js';
import { knownKeys } from './known-keys.js';
import type { WindowCounter } from './window-counter.js';

/** The answer to one request for one token. */
export interface Grant {
  allowed: boolean;
  /** Tokens of the quota that are left in this window, as far as this process knows; 0 or more. */
  remaining: number;
  /** When the window ends, in milliseconds since the epoch by this process's clock. */
  endsAtMs: number;
}

/** What this process knows of one key's window. */
interface LocalWindow {
  /** Tokens that are leased and not spent yet. */
  tokens: number;
  /** Tokens of the quota that no process had leased when the store last answered. */
  shared: number;
  endsAtMs: number;
  waiting: Waiter[];
  asking: boolean;
}

interface Waiter {
  resolve: (grant: Grant) => void;
  reject: (error: unknown) => void;
}

/** One hundredth of the quota: a lease that is never spent costs at most that much of a window. */
const LEASES_PER_QUOTA = 100;

/**
 * How many tokens to ask the store for.
 * @param quota tokens per window.
 * @param shared tokens that nobody had taken when the store last answered.
 * @param waiting requests that need one now; at least 1.
 * @returns a lease of a hundredth of the quota, or only what is needed now once less than a lease is left.
 */
export function tokensToAsk(quota: number, shared: number, waiting: number): number {
  const lease = Math.max(1, Math.floor(quota / LEASES_PER_QUOTA));
  return Math.min(quota, shared < lease ? waiting : Math.max(lease, waiting));
}

/**
 * How many of the tokens asked for were granted. Every request to the counter owns the places
 * `consumed - asked … consumed - 1` of the window; those below the quota are tokens. No place is given twice, so all
 * processes together never get more than the quota.
 */
export function tokensGranted(quota: number, consumed: number, asked: number): number {
  return Math.min(asked, Math.max(0, quota - (consumed - asked)));
}

/**
 * A quota per key in fixed windows that all processes share and that rarely costs a round trip to the store:
 * tokens are leased from the shared counter in lots and spent here. With a quota below 200 a lot is one token, and
 * the count exact; otherwise a process may hold back at most a hundredth of a window. Requests that come while
 * the store is being asked are put into the next question together. A window that is spent is refused from memory.
 */
export class LeasedWindows {
  private readonly windows = knownKeys<LocalWindow>();

  /**
   * @param name begins the keys in the store.
   * @param quota tokens per window; 1 or more.
   * @param windowMs whole seconds.
   */
  constructor(
    readonly name: string,
    readonly quota: number,
    readonly windowMs: number,
    private readonly counter: WindowCounter,
    private readonly clock: Clock,
  ) {}

  /** Takes one token; answers at once when it can be decided without the store. Rejects only if the counter does. */
  take(key: string): Grant | Promise<Grant> {
    const window = this.windows.get(key) ?? this.open(key);
    if (this.clock.nowMs() < window.endsAtMs && !window.asking) {
      if (window.tokens > 0) return this.spend(window);
      if (window.shared === 0) return this.grant(window, false);
    }
    return new Promise((resolve, reject) => {
      window.waiting.push({ resolve, reject });
      if (!window.asking) void this.ask(key, window);
    });
  }

  /** When the key's window ends if this process knows that nothing is left of it (ms since the epoch); null: it may have some. */
  spentUntil(key: string): number | null {
    const window = this.windows.get(key);
    if (window === undefined || window.asking || window.tokens > 0 || window.shared > 0) return null;
    return this.clock.nowMs() < window.endsAtMs ? window.endsAtMs : null;
  }

  private open(key: string): LocalWindow {
    const window = { tokens: 0, shared: this.quota, endsAtMs: 0, waiting: [], asking: false };
    this.windows.set(key, window);
    return window;
  }

  /** Leases from the store until nobody waits. */
  private async ask(key: string, window: LocalWindow): Promise<void> {
    window.asking = true;
    try {
      while (window.waiting.length > 0) {
        await this.lease(key, window);
        this.serve(window);
      }
    } catch (error) {
      for (const { reject } of window.waiting.splice(0)) reject(error);
    } finally {
      window.asking = false;
    }
  }

  private async lease(key: string, window: LocalWindow): Promise<void> {
    const askedAtMs = this.clock.nowMs();
    // Tokens of a window that has ended are worth nothing in the next.
    if (askedAtMs >= window.endsAtMs) window.shared = this.quota;
    const asked = tokensToAsk(this.quota, window.shared, window.waiting.length);
    const { consumed, msLeft } = await this.counter.add(`${this.name}:${key}`, asked, this.windowMs);
    window.tokens = tokensGranted(this.quota, consumed, asked);
    window.shared = Math.max(0, this.quota - consumed);
    // Counted from before the question: a lease is never spent after the shared window has ended.
    window.endsAtMs = askedAtMs + Math.max(1, msLeft);
  }

  private serve(window: LocalWindow): void {
    const served = window.waiting.splice(0, window.tokens);
    for (const { resolve } of served) resolve(this.spend(window));
    if (window.shared > 0 || window.tokens > 0) return;
    for (const { resolve } of window.waiting.splice(0)) resolve(this.grant(window, false));
  }

  private spend(window: LocalWindow): Grant {
    window.tokens -= 1;
    return this.grant(window, true);
  }

  private grant(window: LocalWindow, allowed: boolean): Grant {
    return { allowed, remaining: allowed ? window.shared + window.tokens : 0, endsAtMs: window.endsAtMs };
  }
}

import type { Clock } from '../../time/clock.js';
import type { Grant } from './leased-windows.js';
import { knownKeys } from './known-keys.js';
import type { WindowCounter } from './window-counter.js';

/** How much may be taken in a window. */
export interface Shares {
  /** What each key has in any case; 1 or more. */
  share: number;
  /** What all keys together should not exceed; not below `share`. */
  total: number;
  /** Whole seconds. */
  windowMs: number;
}

/** Once everything is taken, each key still has this part of its share: the total slows everybody, and stops nobody. */
const SCARCE = 5;

/**
 * One quota for all that no key can take away from the others. A key may take as much as is left for all: alone it gets
 * half of the total, the next one half of the rest, and so on; its own share it has in any case, or a fifth of it when
 * the total is used up. Shared by all processes; for what is rare enough to be counted one by one.
 */
export class FairShares {
  private readonly refusedUntil = knownKeys<number>();
  /** What all keys had taken when the counter last answered. */
  private taken = 0;
  private takenUntilMs = 0;

  constructor(
    readonly name: string,
    private readonly shares: Shares,
    private readonly counter: WindowCounter,
    private readonly clock: Clock,
  ) {}

  /** What each key has in any case. */
  get quota(): number {
    return this.shares.share;
  }

  get windowMs(): number {
    return this.shares.windowMs;
  }

  /** Takes one. Rejects only if the counter does. */
  async take(key: string): Promise<Grant> {
    const refusedUntil = this.refusedUntil.get(key) ?? 0;
    if (this.clock.nowMs() < refusedUntil) return { allowed: false, remaining: 0, endsAtMs: refusedUntil };
    const askedAtMs = this.clock.nowMs();
    const own = await this.counter.add(`${this.name}:${key}`, 1, this.windowMs);
    const endsAtMs = askedAtMs + Math.max(1, own.msLeft);
    if (own.consumed > this.limit()) return this.refuse(key, endsAtMs);
    const before = await this.takeFromAll();
    const limit = this.limitAt(before);
    if (own.consumed > limit) return this.refuse(key, endsAtMs);
    return { allowed: true, remaining: limit - own.consumed, endsAtMs };
  }

  /** Takes one from the total; resolves to what all had taken before. */
  private async takeFromAll(): Promise<number> {
    const askedAtMs = this.clock.nowMs();
    const { consumed, msLeft } = await this.counter.add(`${this.name}-all`, 1, this.windowMs);
    this.taken = consumed;
    this.takenUntilMs = askedAtMs + msLeft;
    return consumed - 1;
  }

  private limit(): number {
    return this.limitAt(this.clock.nowMs() < this.takenUntilMs ? this.taken : 0);
  }

  private limitAt(taken: number): number {
    const { share, total } = this.shares;
    const left = total - taken;
    return left > 0 ? Math.max(share, left) : Math.max(1, Math.floor(share / SCARCE));
  }

  /** Less is left with every request, so a key that is refused stays refused until a window ends. */
  private refuse(key: string, endsAtMs: number): Grant {
    const until = this.takenUntilMs > this.clock.nowMs() ? Math.min(endsAtMs, this.takenUntilMs) : endsAtMs;
    this.refusedUntil.set(key, until);
    return { allowed: false, remaining: 0, endsAtMs: until };
  }
}

import type { Clock } from '../../time/clock.js';
import { knownKeys } from './known-keys.js';
import type { WindowCounter } from './window-counter.js';

/** What is counted, and the amount that spends a window. */
export interface PointsPolicy {
  /** Begins the keys in the store. */
  name: string;
  /** Whole seconds. */
  windowMs: number;
  /** A window whose sum has reached this amount is spent. */
  spentFrom: number;
  /** Amount that makes one point of the store, whose column holds 31 bits; 1 if it is not given. */
  perPoint?: number;
  /** True: the amount that reaches `spentFrom` still passes, however large it is; what comes after it does not. */
  admitsLast?: boolean;
  /**
   * The store is told when this amount has come together in this process, which may therefore overlook that much of a
   * window; absent: at once.
   */
  lot?: number;
}

/** What this process knows of one key's window. */
interface Tally {
  /** Amount that the store was not told of yet. */
  untold: number;
  /** Milliseconds since the epoch until which nothing is left; 0: something may be. */
  spentUntilMs: number;
}

/**
 * Adds up amounts by key in fixed windows that all processes share. Unlike a leased token, an amount is known only when
 * it comes, and may be counted afterwards: the amount that spends a window has then passed already. A spent window is
 * remembered here, so that the store is not asked about it again.
 */
export class PointsWindow {
  private readonly tallies = knownKeys<Tally>();

  constructor(
    private readonly policy: PointsPolicy,
    private readonly counter: WindowCounter,
    private readonly clock: Clock,
  ) {}

  /** When the key's window ends if this process knows that it is spent (ms since the epoch); null: something may be left. */
  spentUntil(key: string): number | null {
    const until = this.tallies.get(key)?.spentUntilMs ?? 0;
    return this.clock.nowMs() < until ? until : null;
  }

  /**
   * Counts an amount. Rejects only if the counter does.
   * @returns when the window ends (ms since the epoch) if that has spent it; null: it has not, or the store was not told, or
   *   the policy admits the last one.
   */
  async add(key: string, amount: number): Promise<number | null> {
    const { name, windowMs, spentFrom, perPoint = 1, lot = 0, admitsLast = false } = this.policy;
    const tally = this.tallies.get(key) ?? { untold: 0, spentUntilMs: 0 };
    this.tallies.set(key, tally);
    tally.untold += amount;
    if (tally.untold < lot) return null;
    const points = Math.ceil(tally.untold / perPoint);
    tally.untold = 0;
    const askedAtMs = this.clock.nowMs();
    const { consumed, msLeft } = await this.counter.add(`${name}:${key}`, points, windowMs);
    if (consumed * perPoint < spentFrom) return null;
    // Counted from before the question: nobody is refused after the shared window has ended.
    tally.spentUntilMs = askedAtMs + Math.max(1, msLeft);
    const isFirst = (consumed - points) * perPoint < spentFrom;
    return admitsLast && isFirst ? null : tally.spentUntilMs;
  }
}

import type { Rating } from './alpha-ratings.js';

/** A method that predicts a member's next rating from past ratings only. */
export interface Predictor {
  name: string;
  /** Any number; a higher one means that a good rating is more likely. */
  predict(ratee: number, timeMs: number): number;
  /** Learns a rating, after it was predicted. */
  learn(rating: Rating): void;
  /** Recomputes what a periodic job would recompute; called at the first rating of each day. */
  refresh?(): void;
}

/** The ratings of the burn-in. */
export interface History {
  members: number;
  burnIn: readonly Rating[];
}

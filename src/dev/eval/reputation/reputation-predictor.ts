import type { Rating } from './alpha-ratings.js';

/** A way to say, from the past only, how well a member's next work will end. */
export interface Predictor {
  name: string;
  /** Any number; the higher, the more likely the next rating is a good one. */
  predict(ratee: number, timeMs: number): number;
  /** Takes in a rating, after it was predicted. */
  learn(rating: Rating): void;
  /** What a job recomputes from everything learnt: called at the first rating of each day. */
  refresh?(): void;
}

/** The end of the burn-in. */
export interface History {
  members: number;
  burnIn: readonly Rating[];
}

import type { Rating } from './alpha-ratings.js';
import type { Predictor } from './reputation-predictor.js';

/** Share of trust that EigenTrust gives to the pre-trusted members at each step, as its authors do. */
const PRETRUST_SHARE = 0.15;
const EIGENTRUST_STEPS = 30;
const REV2_STEPS = 20;
/** Weight of a pseudo-rating with the average goodness, and of one with the fairness 1. */
const REV2_SMOOTHING = 1;

/**
 * EigenTrust: the stationary distribution of a random walk along positive ratings by weight. It restarts at the
 * pre-trusted members, or at all members equally when none are given.
 */
export class EigenTrust implements Predictor {
  private readonly rows = new Map<number, { to: number; weight: number }[]>();
  private readonly start: Float64Array;
  private trust: Float64Array;

  constructor(
    readonly name: string,
    members: number,
    pretrusted: readonly number[],
  ) {
    this.start = new Float64Array(members);
    const chosen = pretrusted.length === 0 ? Array.from({ length: members }, (_, i) => i) : pretrusted;
    for (const member of chosen) this.start[member] = 1 / chosen.length;
    this.trust = this.start;
  }

  predict(ratee: number): number {
    return this.trust[ratee] ?? 0;
  }

  learn({ rater, ratee, weight }: Rating): void {
    if (weight <= 0) return;
    const row = this.rows.get(rater) ?? [];
    row.push({ to: ratee, weight });
    this.rows.set(rater, row);
  }

  refresh(): void {
    const rows = [...this.rows].map(([from, row]) => ({
      from,
      row,
      sum: row.reduce((sum, { weight }) => sum + weight, 0),
    }));
    let trust = this.start;
    for (let step = 0; step < EIGENTRUST_STEPS; step += 1) {
      const next = new Float64Array(trust.length);
      let passed = 0;
      for (const { from, row, sum } of rows) {
        const share = ((1 - PRETRUST_SHARE) * (trust[from] ?? 0)) / sum;
        for (const { to, weight } of row) next[to] = (next[to] ?? 0) + share * weight;
        passed += share * sum;
      }
      // The restart share, and the trust of members without positive ratings, goes to the start distribution.
      for (let i = 0; i < next.length; i += 1) next[i] = (next[i] ?? 0) + (1 - passed) * (this.start[i] ?? 0);
      trust = next;
    }
    this.trust = trust;
  }
}

/**
 * REV2's goodness of a member. Fairness of raters, reliability of ratings and goodness of ratees are computed from each
 * other for a fixed number of steps. Without REV2's behaviour part (BIRDNEST) and its parameter search.
 */
export class Rev2Goodness implements Predictor {
  readonly name = 'REV2 goodness';
  private readonly ratings: { rater: number; ratee: number; score: number }[] = [];
  private goodness: Float64Array;
  private average = 0;

  constructor(private readonly members: number) {
    this.goodness = new Float64Array(members).fill(Number.NaN);
  }

  predict(ratee: number): number {
    const known = this.goodness[ratee] ?? Number.NaN;
    return Number.isNaN(known) ? this.average : known;
  }

  learn({ rater, ratee, weight }: Rating): void {
    this.ratings.push({ rater, ratee, score: weight / 10 });
  }

  refresh(): void {
    const { members, ratings } = this;
    this.average = ratings.reduce((sum, { score }) => sum + score, 0) / Math.max(1, ratings.length);
    const fairness = new Float64Array(members).fill(1);
    let goodness = new Float64Array(members).fill(this.average);
    for (let step = 0; step < REV2_STEPS; step += 1) {
      const [given, fair] = [new Float64Array(members), new Float64Array(members)];
      const [received, good] = [new Float64Array(members), new Float64Array(members)];
      for (const { rater, ratee, score } of ratings) {
        const agreement = 1 - Math.abs(score - (goodness[ratee] ?? 0)) / 2;
        const reliability = ((fairness[rater] ?? 0) + agreement) / 2;
        given[rater] = (given[rater] ?? 0) + 1;
        fair[rater] = (fair[rater] ?? 0) + reliability;
        received[ratee] = (received[ratee] ?? 0) + 1;
        good[ratee] = (good[ratee] ?? 0) + reliability * score;
      }
      goodness = good.map((sum, i) => smoothed(sum, received[i] ?? 0, this.average));
      for (let i = 0; i < members; i += 1) fairness[i] = smoothed(fair[i] ?? 0, given[i] ?? 0, 1);
    }
    this.goodness = goodness;
  }
}

function smoothed(sum: number, count: number, average: number): number {
  return (sum + REV2_SMOOTHING * average) / (count + REV2_SMOOTHING);
}

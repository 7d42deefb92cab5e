import type { Rating } from './alpha-ratings.js';
import type { Predictor } from './reputation-predictor.js';

const DAY_MS = 86_400_000;
/** Quantile of the normal distribution of a two-sided 95 % interval. */
const Z = 1.96;

/** Sums over a member's ratings. */
interface Tally {
  ratings: number;
  good: number;
  /** Sum of the weights. */
  weight: number;
}

const NOTHING: Tally = { ratings: 0, good: 0, weight: 0 };

/** A predictor that uses a member's tally. `everybody` is the tally of all ratings so far. */
class TallyPredictor implements Predictor {
  private readonly tallies = new Map<number, Tally>();
  private everybody = NOTHING;

  constructor(
    readonly name: string,
    private readonly valueOf: (own: Tally, everybody: Tally) => number,
  ) {}

  predict(ratee: number): number {
    return this.valueOf(this.tallies.get(ratee) ?? NOTHING, this.everybody);
  }

  learn(rating: Rating): void {
    this.tallies.set(rating.ratee, added(this.tallies.get(rating.ratee) ?? NOTHING, rating));
    this.everybody = added(this.everybody, rating);
  }
}

function added(tally: Tally, { weight }: Rating): Tally {
  return {
    ratings: tally.ratings + 1,
    good: tally.good + (weight > 0 ? 1 : 0),
    weight: tally.weight + weight,
  };
}

/** Posterior mean with the prior Beta(1,1); evidence halves in `halfLifeDays`. */
class DecayingBeta implements Predictor {
  private readonly sums = new Map<number, { good: number; bad: number; timeMs: number }>();

  constructor(
    readonly name: string,
    private readonly halfLifeDays: number,
  ) {}

  predict(ratee: number, timeMs: number): number {
    const { good, bad } = this.at(ratee, timeMs);
    return (good + 1) / (good + bad + 2);
  }

  learn({ ratee, weight, timeMs }: Rating): void {
    const { good, bad } = this.at(ratee, timeMs);
    const isGood = weight > 0;
    this.sums.set(ratee, { good: good + (isGood ? 1 : 0), bad: bad + (isGood ? 0 : 1), timeMs });
  }

  private at(ratee: number, timeMs: number): { good: number; bad: number } {
    const known = this.sums.get(ratee);
    if (!known) return { good: 0, bad: 0 };
    const decay = 2 ** (-(timeMs - known.timeMs) / DAY_MS / this.halfLifeDays);
    return { good: known.good * decay, bad: known.bad * decay };
  }
}

/**
 * Methods that use only a member's own ratings. For a member without ratings, the share is taken as one half
 * (docs/decisions/ranking.md#score-measured; a separate method takes the average instead), and the mean as the average.
 */
export function ownRatingBaselines(): Predictor[] {
  const mean = ({ ratings, weight }: Tally): number => (ratings === 0 ? 0 : weight / ratings);
  const share = ({ ratings, good }: Tally): number => (ratings === 0 ? 0.5 : good / ratings);
  return [
    new TallyPredictor('count of ratings', ({ ratings }) => ratings),
    new TallyPredictor('mean rating', (own, all) => mean(own.ratings === 0 ? all : own)),
    new TallyPredictor('share positive', share),
    new TallyPredictor('share positive, newcomer = average', (own, all) => share(own.ratings === 0 ? all : own)),
    new TallyPredictor('Wilson 95 %, lower bound', ({ ratings, good }) => wilsonBound(good, ratings)),
    new TallyPredictor('Beta(1,1)', ({ ratings, good }) => (good + 1) / (ratings + 2)),
    new DecayingBeta('Beta(1,1), half-life 90 d', 90),
  ];
}

/** Lower bound of the Wilson 95 % interval; 0 without ratings. */
export function wilsonBound(good: number, all: number): number {
  if (all === 0) return 0;
  const share = good / all;
  const spread = Z * Math.sqrt((share * (1 - share)) / all + (Z * Z) / (4 * all * all));
  return (share + (Z * Z) / (2 * all) - spread) / (1 + (Z * Z) / all);
}

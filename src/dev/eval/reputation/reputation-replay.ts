import type { AlphaNetwork } from './alpha-ratings.js';
import { orderedPairs, sortedByScore, type Scored } from '../statistics/auc.js';
import { quantileOf } from '../statistics/quantiles.js';
import type { History, Predictor } from './reputation-predictor.js';
import type { Seeded } from '../statistics/seeded.js';

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 30;
const BURN_IN = 0.1;

/** A predictor's score for each rating after the burn-in, with the outcome. */
export type Predictions = (Scored & { timeMs: number })[];

/** The first ratings, which are learnt but not predicted. */
export function burnInOf({ members, ratings }: AlphaNetwork): History {
  return { members, burnIn: ratings.slice(0, Math.floor(ratings.length * BURN_IN)) };
}

/** Goes through the ratings in order of time; predicts each one after the burn-in, then learns it. */
export function replay(network: AlphaNetwork, predictor: Predictor): Predictions {
  const begin = burnInOf(network).burnIn.length;
  const predictions: Predictions = [];
  let today = Number.NaN;
  for (const [index, rating] of network.ratings.entries()) {
    const day = Math.floor(rating.timeMs / DAY_MS);
    if (index >= begin && day !== today) {
      predictor.refresh?.();
      today = day;
    }
    if (index >= begin) {
      const score = predictor.predict(rating.ratee, rating.timeMs);
      predictions.push({ score, positive: rating.weight > 0, timeMs: rating.timeMs });
    }
    predictor.learn(rating);
  }
  return predictions;
}

/** AUC that compares only predictions of the same 30 days, so that a changing base rate has no influence. */
export function windowedAuc(predictions: Predictions): number {
  let [better, pairs] = [0, 0];
  for (const window of windowsOf(predictions)) {
    const found = orderedPairs(sortedByScore(window));
    better += found.better;
    pairs += found.pairs;
  }
  return better / pairs;
}

/** 95 % interval of the AUC by bootstrap over 30-day windows. */
export function bootstrap(predictions: Predictions, draws: number, chance: Seeded): { low: number; high: number } {
  const windows = windowsOf(predictions);
  // Sorted once, because a draw only changes how many times each window counts.
  const sorted = windows
    .flatMap((window, number) => window.map(({ score, positive }) => ({ score, positive, window: number })))
    .sort((a, b) => a.score - b.score);
  const figures = Array.from({ length: draws }, () => {
    const times = new Uint32Array(windows.length);
    for (let i = 0; i < windows.length; i += 1) {
      const drawn = chance.below(windows.length);
      times[drawn] = (times[drawn] ?? 0) + 1;
    }
    const { better, pairs } = orderedPairs(sorted, ({ window }) => times[window] ?? 0);
    return better / pairs;
  });
  return { low: quantileOf(figures, 0.025), high: quantileOf(figures, 0.975) };
}

function windowsOf(predictions: Predictions): Predictions[] {
  const start = predictions[0]?.timeMs ?? 0;
  const windows = new Map<number, Predictions>();
  for (const prediction of predictions) {
    const window = Math.floor((prediction.timeMs - start) / DAY_MS / WINDOW_DAYS);
    const known = windows.get(window);
    if (known) known.push(prediction);
    else windows.set(window, [prediction]);
  }
  return [...windows.values()];
}

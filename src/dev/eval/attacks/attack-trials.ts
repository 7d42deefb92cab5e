import { UNANCHORED_CONFIDENCE_CAP } from '../../../modules/reputation/score/reputation-constants.js';
import { type AttackKind, ATTACKS, attackOf, chanceSize } from './attack-kinds.js';
import { checkBounds, judge, reputationsOf } from './attack-verdict.js';
import { Seeded } from '../statistics/seeded.js';
import type { Market } from '../market/trade-market.js';

/** Most anchors that an attacker can have without a majority of the five cohorts. */
const MINORITY = 2;

/** Results of the trials of one kind of attack. */
export interface TrialSummary {
  kind: AttackKind | 'no anchors';
  trials: number;
  /** Cohorts in which the bound was checked; the next field counts those in which it did not hold. */
  bounds: number;
  violations: number;
  /** For every trial the largest share of the bound that the attack reached in any cohort; NaN where the bound is 0. */
  shares: number[];
  /**
   * Trials in which no money crossed and the attacker had no majority; the next field counts those whose result was not
   * exactly 0.
   */
  zeroCuts: number;
  leaks: number;
  /** Trials in which the attacker gained independent value or confidence. */
  gains: number;
}

function emptySummary(kind: TrialSummary['kind']): TrialSummary {
  return { kind, trials: 0, bounds: 0, violations: 0, shares: [], zeroCuts: 0, leaks: 0, gains: 0 };
}

/**
 * Runs every kind of attack once per seed, with a random size, each as the only attack on the seed's market; then a
 * dense attack with no verified buyers.
 */
export function runTrials(seeds: number, seed: number, marketOf: (chance: Seeded) => Market): TrialSummary[] {
  const summaries = ATTACKS.map(({ kind }) => emptySummary(kind));
  const bare = emptySummary('no anchors');
  for (let number = 0; number < seeds; number += 1) {
    const chance = new Seeded(seed + number);
    const market = marketOf(chance);
    for (const summary of summaries) trial(summary, market, chance, seed + number);
    trialWithoutAnchors(bare, market, chance, seed + number);
  }
  return [...summaries, bare];
}

function trial(summary: TrialSummary, market: Market, chance: Seeded, seed: number): void {
  const known = ATTACKS.find(({ kind }) => kind === summary.kind);
  if (!known) throw new RangeError(`No attack is called ${summary.kind}`);
  const attack = attackOf(known.kind, chanceSize(chance), market, chance);
  const judged = judge(market, [attack], seed);
  const [reputation] = reputationsOf(judged, [attack.agent]);
  if (!reputation) throw new RangeError('An attack is for an agent');
  summary.trials += 1;
  const checks = checkBounds(judged, attack);
  summary.bounds += checks.length;
  summary.violations += checks.filter(({ violated }) => violated).length;
  summary.shares.push(Math.max(...checks.map(({ value, bound }) => value / bound)));
  const gained = reputation.independentValue > 0n || reputation.independenceConfidence > 0;
  if (gained) summary.gains += 1;
  if (!known.zeroCut || known.anchors > MINORITY) return;
  summary.zeroCuts += 1;
  const own = judged.independence.subarray(attack.first, attack.first + attack.principals);
  if (gained || own.some((iota) => iota !== 0) || checks.some(({ cut }) => cut !== 0)) summary.leaks += 1;
}

/**
 * Without anchors buyers cannot be told apart. A leak is then confidence above the cap, or any independence above 0.
 */
function trialWithoutAnchors(summary: TrialSummary, market: Market, chance: Seeded, seed: number): void {
  const attack = attackOf('dense', chanceSize(chance), market, chance);
  const judged = judge(market, [attack], seed, false);
  const reputations = reputationsOf(judged, [attack.agent, ...market.workers.slice(0, 10)], false);
  summary.trials += 1;
  summary.zeroCuts += 1;
  if (reputations[0]?.independentValue !== 0n) summary.gains += 1;
  const above = reputations.some(({ independenceConfidence }) => independenceConfidence > UNANCHORED_CONFIDENCE_CAP);
  if (above || judged.independence.some((iota) => iota !== 0)) summary.leaks += 1;
}

import {
  type EvidenceUnits,
  forwardFactor,
  NO_UNITS,
  numberOf,
  plus,
  repetitionsOf,
  type Settlement,
  unitsOf,
  whole,
} from './evidence-units.js';
import {
  CAREER_HALF_LIFE_DAYS,
  CAREER_SHARE,
  EVIDENCE_CAP,
  EVIDENCE_SHRINKAGE,
  EVIDENCE_UNIT,
  INDEPENDENT_FROM,
  NEGATIVE_FLOOR,
  PRIOR_MEAN,
  PRIOR_STRENGTH,
  RECENT_HALF_LIFE_DAYS,
  RECENT_SHARE,
  UNANCHORED_CONFIDENCE_CAP,
  UNANCHORED_INDEPENDENCE,
} from './reputation-constants.js';

export type { Settlement };

/**
 * Good and bad work, each a sum of weights multiplied by 2^((t - EVIDENCE_EPOCH_MS) / half-life): it changes with
 * settlements only, not with time.
 */
export interface DecayedSums {
  good: number;
  bad: number;
}

/** Evidence about one agent from one buyer cluster's settlements, before the buyer's independence is applied. */
export interface WorkForBuyer {
  /** With the half-life of 365 days. */
  career: DecayedSums;
  /** With the half-life of 60 days; only work of the agent's present wallet. */
  recent: DecayedSums;
  /** Released to the agent, base units; never decayed. */
  grossValue: bigint;
  settlements: number;
}

/** One buyer cluster's evidence about one agent, with the buyer's independence. */
export interface BuyerEvidence extends WorkForBuyer {
  /** In [0, 1]; null for a pending buyer, which was in no finished trust run yet. */
  independence: number | null;
  /**
   * Base units that the cluster paid to the agent, less what the agent's cluster paid back; at least 0
   * (docs/decisions/ranking.md#independence).
   */
  netValue: bigint;
}

/** The reputation of an agent, as of one moment. */
export interface Reputation {
  /** In [0, 1], four decimals: CAREER_SHARE of `careerScore` and RECENT_SHARE of `recentScore`. */
  score: number;
  /** In [0, 1], four decimals. */
  careerScore: number;
  /** In [0, 1], four decimals. */
  recentScore: number;
  /** In [0, 1], four decimals; at most 0.5 while there are no verified buyers. */
  independenceConfidence: number;
  /** Released to the agent, base units; never decayed. */
  settledValue: bigint;
  /** Net value weighted with each buyer's independence, base units (docs/decisions/ranking.md#bound-on-attacks). */
  independentValue: bigint;
  settlements: number;
  /** Number of buyer clusters. */
  buyers: number;
  /** Buyer clusters with an independence of at least 0.5. */
  independentBuyers: number;
  /** Buyer clusters that were in no trust run yet; 0 while there are no verified buyers. */
  pendingBuyers: number;
}

/** Independence is applied to money in steps of 1/1,000,000. */
const INDEPENDENCE_STEPS = 1_000_000;

/**
 * Sums the settlements of one agent with one buyer cluster, which must be in order of time. The caller must leave out
 * settlements within one cluster, which are no evidence. rule: docs/decisions/ranking.md#score
 */
export function evidenceOfBuyer(settlements: readonly Settlement[]): WorkForBuyer {
  const grossValue = settlements.reduce((sum, { released }) => sum + released, 0n);
  return { ...sumsOf(unitsOfBuyer(settlements)), grossValue, settlements: settlements.length };
}

/** As `evidenceOfBuyer`, but as exact sums in the stored units. */
export function unitsOfBuyer(settlements: readonly Settlement[]): EvidenceUnits {
  const earlier = repetitionsOf(settlements);
  return settlements.reduce((sum, settlement, index) => plus(sum, unitsOf(settlement, earlier[index] ?? 0)), NO_UNITS);
}

/** Converts stored sums to the numbers of the formulas. */
export function sumsOf(units: EvidenceUnits): { career: DecayedSums; recent: DecayedSums } {
  return {
    career: { good: numberOf(units.careerGood), bad: numberOf(units.careerBad) },
    recent: { good: numberOf(units.recentGood), bad: numberOf(units.recentBad) },
  };
}

/**
 * Sum of the evidence of an agent's buyers, each weighed by its independence. All are whole numbers, the first six in
 * units of 2^-160, so that the order does not matter and a buyer can be subtracted without a rounding error.
 */
export interface BuyerSums {
  careerGood: bigint;
  careerBad: bigint;
  recentGood: bigint;
  recentBad: bigint;
  /** Units of evidence, weighed by independence. */
  independentUnits: bigint;
  /** Units of evidence as if every buyer were independent. */
  allUnits: bigint;
  settledValue: bigint;
  independentValue: bigint;
  settlements: number;
  buyers: number;
  independentBuyers: number;
  pendingBuyers: number;
}

const NOTHING_SAID: BuyerSums = {
  careerGood: 0n,
  careerBad: 0n,
  recentGood: 0n,
  recentBad: 0n,
  independentUnits: 0n,
  allUnits: 0n,
  settledValue: 0n,
  independentValue: 0n,
  settlements: 0,
  buyers: 0,
  independentBuyers: 0,
  pendingBuyers: 0,
};

/** Sums the evidence of these buyers. @param anchored true when there are verified buyers. */
export function sayingOf(buyers: readonly BuyerEvidence[], anchored: boolean): BuyerSums {
  const sums = { ...NOTHING_SAID };
  for (const buyer of buyers) add(sums, saidBy(buyer, anchored), 1);
  return sums;
}

/** The sums with one buyer's evidence changed from `before` to `after`; null: none. */
export function movedSums(
  sums: BuyerSums,
  { before, after }: { before: BuyerEvidence | null; after: BuyerEvidence | null },
  anchored: boolean,
): BuyerSums {
  const moved = { ...sums };
  if (before) add(moved, saidBy(before, anchored), -1);
  if (after) add(moved, saidBy(after, anchored), 1);
  return moved;
}

/** One buyer's part of the sums. Good work counts by the buyer's independence, bad work at least by half. */
function saidBy(buyer: BuyerEvidence, anchored: boolean): BuyerSums {
  const iota = weightOf(buyer, anchored);
  const ofBad = NEGATIVE_FLOOR + (1 - NEGATIVE_FLOOR) * iota;
  const units = Math.min(EVIDENCE_CAP, Math.log2(1 + Number(buyer.netValue) / EVIDENCE_UNIT));
  return {
    careerGood: whole(iota * buyer.career.good),
    careerBad: whole(ofBad * buyer.career.bad),
    recentGood: whole(iota * buyer.recent.good),
    recentBad: whole(ofBad * buyer.recent.bad),
    independentUnits: whole(iota * units),
    allUnits: whole(units),
    settledValue: buyer.grossValue,
    independentValue: shareOf(buyer.netValue, iota),
    settlements: buyer.settlements,
    buyers: 1,
    independentBuyers: iota >= INDEPENDENT_FROM ? 1 : 0,
    pendingBuyers: anchored && buyer.independence === null ? 1 : 0,
  };
}

function add(sums: BuyerSums, said: BuyerSums, sign: 1 | -1): void {
  const times = BigInt(sign);
  sums.careerGood += times * said.careerGood;
  sums.careerBad += times * said.careerBad;
  sums.recentGood += times * said.recentGood;
  sums.recentBad += times * said.recentBad;
  sums.independentUnits += times * said.independentUnits;
  sums.allUnits += times * said.allUnits;
  sums.settledValue += times * said.settledValue;
  sums.independentValue += times * said.independentValue;
  sums.settlements += sign * said.settlements;
  sums.buyers += sign;
  sums.independentBuyers += sign * said.independentBuyers;
  sums.pendingBuyers += sign * said.pendingBuyers;
}

/**
 * The reputation, as of `at`, of an agent with these buyers; without buyers it is the prior.
 * rule: docs/decisions/ranking.md#score, docs/decisions/ranking.md#independence
 *
 * `anchored` is true when there are verified buyers. Then the good work for a pending buyer does not count yet.
 * Otherwise every buyer counts as independent, because nothing tells buyers apart, and the confidence is capped.
 */
export function reputationOf(buyers: readonly BuyerEvidence[], at: Date, anchored: boolean): Reputation {
  return reputationFrom(sayingOf(buyers, anchored), at, anchored);
}

/** As `reputationOf`, from the sum of the buyers' evidence. */
export function reputationFrom(sums: BuyerSums, at: Date, anchored: boolean): Reputation {
  const careerScore = posteriorMean(
    sums.careerGood,
    sums.careerBad,
    forwardFactor(at.getTime(), CAREER_HALF_LIFE_DAYS),
  );
  const recentScore = posteriorMean(
    sums.recentGood,
    sums.recentBad,
    forwardFactor(at.getTime(), RECENT_HALF_LIFE_DAYS),
  );
  const { settledValue, independentValue, settlements, buyers, independentBuyers, pendingBuyers } = sums;
  return {
    score: fourDecimals(CAREER_SHARE * careerScore + RECENT_SHARE * recentScore),
    careerScore: fourDecimals(careerScore),
    recentScore: fourDecimals(recentScore),
    independenceConfidence: fourDecimals(confidenceOf(sums, anchored)),
    settledValue,
    independentValue,
    settlements,
    buyers,
    independentBuyers,
    pendingBuyers,
  };
}

function weightOf({ independence }: BuyerEvidence, anchored: boolean): number {
  return anchored ? (independence ?? 0) : UNANCHORED_INDEPENDENCE;
}

function posteriorMean(goodUnits: bigint, badUnits: bigint, factor: number): number {
  const [good, bad] = [numberOf(goodUnits), numberOf(badUnits)];
  const prior = PRIOR_MEAN * PRIOR_STRENGTH;
  return (good / factor + prior) / ((good + bad) / factor + PRIOR_STRENGTH);
}

function confidenceOf({ independentUnits, allUnits }: BuyerSums, anchored: boolean): number {
  const confidence = numberOf(independentUnits) / (numberOf(allUnits) + EVIDENCE_SHRINKAGE);
  return Math.min(anchored ? 1 : UNANCHORED_CONFIDENCE_CAP, confidence);
}

/** A share of an amount, exact for any amount. Independence is rounded down to a millionth. */
function shareOf(value: bigint, independence: number): bigint {
  return (value * BigInt(Math.floor(independence * INDEPENDENCE_STEPS))) / BigInt(INDEPENDENCE_STEPS);
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import {
  type EvidenceUnits,
  forwardFactor,
  NO_UNITS,
  numberOf,
  plus,
  repetitionsOf,
  type Settlement,
  unitsOf,
} from './evidence/evidence-units.js';
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

/** Everything one buyer cluster's settlements say about one agent, before the buyer is weighed. */
export interface WorkForBuyer {
  /** With the half-life of 365 days. */
  career: DecayedSums;
  /** With the half-life of 60 days; of the present wallet alone. */
  recent: DecayedSums;
  /** Released to the agent, base units; never decayed. */
  grossValue: bigint;
  settlements: number;
}

/** One buyer cluster's word about one agent. */
export interface BuyerEvidence extends WorkForBuyer {
  /** In [0, 1]; null for a buyer that no finished trust run has seen, whose evidence is pending. */
  independence: number | null;
  /**
   * Paid by the cluster to the agent's less what came back, base units, at least 0
   * (docs/decisions/ranking.md#independence).
   */
  netValue: bigint;
}

/** What an agent's buyers say about it, as of one moment. */
export interface Reputation {
  /** In [0, 1], four decimals: CAREER_SHARE of `careerScore` and RECENT_SHARE of `recentScore`. */
  score: number;
  /** In [0, 1], four decimals. */
  careerScore: number;
  /** In [0, 1], four decimals. */
  recentScore: number;
  /** In [0, 1], four decimals; at most 0.5 while no verified buyers are named. */
  independenceConfidence: number;
  /** Released to the agent, base units; never decayed. */
  settledValue: bigint;
  /** Net value weighted with each buyer's independence, base units (docs/decisions/ranking.md#bound-on-attacks). */
  independentValue: bigint;
  settlements: number;
  /** Buyer clusters. */
  buyers: number;
  /** Of them, with an independence of at least 0.5. */
  independentBuyers: number;
  /** Of them, not yet seen by a trust run; none while no verified buyers are named. */
  pendingBuyers: number;
}

/** Steps of independence in exact sums of money. */
const INDEPENDENCE_STEPS = 1_000_000;

/**
 * Sums up the settlements of one agent with one buyer cluster, given in order of time. Settlements within one cluster
 * are no evidence: the caller leaves them out. rule: docs/decisions/ranking.md#score
 */
export function evidenceOfBuyer(settlements: readonly Settlement[]): WorkForBuyer {
  const grossValue = settlements.reduce((sum, { released }) => sum + released, 0n);
  return { ...sumsOf(unitsOfBuyer(settlements)), grossValue, settlements: settlements.length };
}

/** The same, as the sums that are kept. */
export function unitsOfBuyer(settlements: readonly Settlement[]): EvidenceUnits {
  const earlier = repetitionsOf(settlements);
  return settlements.reduce((sum, settlement, index) => plus(sum, unitsOf(settlement, earlier[index] ?? 0)), NO_UNITS);
}

/** Kept sums, as the formulas take them. */
export function sumsOf(units: EvidenceUnits): { career: DecayedSums; recent: DecayedSums } {
  return {
    career: { good: numberOf(units.careerGood), bad: numberOf(units.careerBad) },
    recent: { good: numberOf(units.recentGood), bad: numberOf(units.recentBad) },
  };
}

/**
 * The reputation as of `at` of an agent with these buyers; without any it is the prior.
 * rule: docs/decisions/ranking.md#score, docs/decisions/ranking.md#independence
 *
 * Good work counts as far as its buyer is independent, bad work never less than half. `anchored` says whether verified
 * buyers are named. Where they are, a buyer that no run has seen yet adds nothing good; where not, every buyer counts
 * as independent, because nothing can tell them apart, and the confidence is capped for it.
 */
export function reputationOf(buyers: readonly BuyerEvidence[], at: Date, anchored: boolean): Reputation {
  const weighed = buyers.map((buyer) => ({ buyer, iota: weightOf(buyer, anchored) }));
  const careerScore = posteriorMean(weighed, 'career', forwardFactor(at.getTime(), CAREER_HALF_LIFE_DAYS));
  const recentScore = posteriorMean(weighed, 'recent', forwardFactor(at.getTime(), RECENT_HALF_LIFE_DAYS));
  return {
    score: fourDecimals(CAREER_SHARE * careerScore + RECENT_SHARE * recentScore),
    careerScore: fourDecimals(careerScore),
    recentScore: fourDecimals(recentScore),
    independenceConfidence: fourDecimals(confidenceOf(weighed, anchored)),
    settledValue: buyers.reduce((sum, { grossValue }) => sum + grossValue, 0n),
    independentValue: weighed.reduce((sum, { buyer, iota }) => sum + shareOf(buyer.netValue, iota), 0n),
    settlements: buyers.reduce((sum, { settlements }) => sum + settlements, 0),
    buyers: buyers.length,
    independentBuyers: weighed.filter(({ iota }) => iota >= INDEPENDENT_FROM).length,
    pendingBuyers: anchored ? buyers.filter(({ independence }) => independence === null).length : 0,
  };
}

interface WeighedBuyer {
  buyer: BuyerEvidence;
  iota: number;
}

function weightOf({ independence }: BuyerEvidence, anchored: boolean): number {
  return anchored ? (independence ?? 0) : UNANCHORED_INDEPENDENCE;
}

function posteriorMean(weighed: readonly WeighedBuyer[], part: 'career' | 'recent', factor: number): number {
  let good = 0;
  let bad = 0;
  for (const { buyer, iota } of weighed) {
    good += iota * buyer[part].good;
    bad += (NEGATIVE_FLOOR + (1 - NEGATIVE_FLOOR) * iota) * buyer[part].bad;
  }
  const prior = PRIOR_MEAN * PRIOR_STRENGTH;
  return (good / factor + prior) / ((good + bad) / factor + PRIOR_STRENGTH);
}

function confidenceOf(weighed: readonly WeighedBuyer[], anchored: boolean): number {
  let independent = 0;
  let all = 0;
  for (const { buyer, iota } of weighed) {
    const units = Math.min(EVIDENCE_CAP, Math.log2(1 + Number(buyer.netValue) / EVIDENCE_UNIT));
    independent += iota * units;
    all += units;
  }
  return Math.min(anchored ? 1 : UNANCHORED_CONFIDENCE_CAP, independent / (all + EVIDENCE_SHRINKAGE));
}

/** Exact for any amount; independence is taken to a millionth, downwards. */
function shareOf(value: bigint, independence: number): bigint {
  return (value * BigInt(Math.floor(independence * INDEPENDENCE_STEPS))) / BigInt(INDEPENDENCE_STEPS);
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import {
  ABANDONMENT_WEIGHT,
  CAREER_HALF_LIFE_DAYS,
  CAREER_SHARE,
  EVIDENCE_CAP,
  EVIDENCE_EPOCH_MS,
  EVIDENCE_SHRINKAGE,
  EVIDENCE_UNIT,
  INDEPENDENT_FROM,
  NEGATIVE_FLOOR,
  PRIOR_MEAN,
  PRIOR_STRENGTH,
  RECENT_HALF_LIFE_DAYS,
  RECENT_SHARE,
  REPEAT_WINDOW_DAYS,
  UNANCHORED_CONFIDENCE_CAP,
  UNANCHORED_INDEPENDENCE,
} from './reputation-constants.js';

/** One ended node of an agent. */
export interface Settlement {
  /** What the node was worth, base units. */
  amount: bigint;
  /** What went to the worker, base units, at most `amount`. */
  released: bigint;
  /** As on the wire; `abandoned` weighs less than other failures. */
  outcome: string;
  settledAt: Date;
  /** Whether the wallet that worked is the one that the agent has now. */
  isPresentWallet: boolean;
}

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
  /** Paid by the cluster to the agent's less what came back, base units, at least 0 (N_bw of §3.1). */
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
  /** Net value weighted with each buyer's independence, base units (IV_w of §3.1). */
  independentValue: bigint;
  settlements: number;
  /** Buyer clusters. */
  buyers: number;
  /** Of them, with an independence of at least 0.5. */
  independentBuyers: number;
  /** Of them, not yet seen by a trust run; none while no verified buyers are named. */
  pendingBuyers: number;
}

const DAY_MS = 86_400_000;
/** Steps of independence in exact sums of money. */
const INDEPENDENCE_STEPS = 1_000_000;

/**
 * Sums up the settlements of one agent with one buyer cluster, given in order of time. Settlements within one cluster
 * are no evidence: the caller leaves them out. rule: design/ranking.md §2.1
 *
 * Work for another wallet than the agent's present one is history, but not recent: whoever has bought or taken over an
 * agent begins its last 60 days anew. rule: design/ranking.md §3.5
 */
export function evidenceOfBuyer(settlements: readonly Settlement[]): WorkForBuyer {
  const career = { good: 0, bad: 0 };
  const recent = { good: 0, bad: 0 };
  let grossValue = 0n;
  let windowStart = 0;
  for (const [index, settlement] of settlements.entries()) {
    const time = settlement.settledAt.getTime();
    while ((settlements[windowStart]?.settledAt.getTime() ?? time) <= time - REPEAT_WINDOW_DAYS * DAY_MS) {
      windowStart += 1;
    }
    const repetition = 2 ** -(index - windowStart);
    const success = shareReleased(settlement);
    const failureWeight = settlement.outcome === 'abandoned' ? ABANDONMENT_WEIGHT : 1;
    for (const [sums, halfLifeDays, counts] of [
      [career, CAREER_HALF_LIFE_DAYS, true],
      [recent, RECENT_HALF_LIFE_DAYS, settlement.isPresentWallet],
    ] as const) {
      if (!counts) continue;
      const weight = repetition * forwardFactor(time, halfLifeDays);
      sums.good += weight * success;
      sums.bad += weight * (1 - success) * failureWeight;
    }
    grossValue += settlement.released;
  }
  return { career, recent, grossValue, settlements: settlements.length };
}

/**
 * The reputation as of `at` of an agent with these buyers; without any it is the prior. rule: design/ranking.md §2.1
 * and §3.1
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

/** What evidence at this time is multiplied by when it is summed up, and its sum divided by when it is read. */
function forwardFactor(timeMs: number, halfLifeDays: number): number {
  return 2 ** ((timeMs - EVIDENCE_EPOCH_MS) / DAY_MS / halfLifeDays);
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

function shareReleased({ amount, released }: Settlement): number {
  return amount === 0n ? 0 : Math.min(1, Number(released) / Number(amount));
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

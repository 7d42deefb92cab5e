import {
  ABANDONMENT_WEIGHT,
  BUYER_INDEPENDENCE,
  CAREER_HALF_LIFE_DAYS,
  CAREER_SHARE,
  EVIDENCE_CAP,
  EVIDENCE_SHRINKAGE,
  EVIDENCE_UNIT,
  NEGATIVE_FLOOR,
  PRIOR_MEAN,
  PRIOR_STRENGTH,
  RECENT_HALF_LIFE_DAYS,
  RECENT_SHARE,
  REPEAT_WINDOW_DAYS,
  UNANCHORED_CONFIDENCE_CAP,
} from './reputation-constants.js';

/** One ended node of an agent. */
export interface Settlement {
  /** Null when the wallet belongs to no account. */
  payerAccountId: string | null;
  workerAccountId: string | null;
  /** What the node was worth, base units. */
  amount: bigint;
  /** What went to the worker, base units. */
  released: bigint;
  outcome: string;
  settledAt: Date;
}

/** What an agent's settlements say about it. */
export interface Reputation {
  /** In [0, 1], four decimals. */
  score: number;
  /** In [0, 0.5], four decimals. */
  independenceConfidence: number;
  /** Base units released to the agent, self-dealing left out; never decayed. */
  settledValue: bigint;
}

const DAY_MS = 86_400_000;
/** Repetitions counted; the weight of a further one is below any digit of the score. */
const MAX_REPEATS = 32;

/**
 * Reputation as of `at`, from all settlements of one agent, in order of time (design/ranking.md §2.1 and §3.1).
 *
 * Work that an account pays to its own agent is ignored. Every other buyer counts as independent (iota = 1): no walk
 * over the money graph vouches for any of them, so `independenceConfidence` is the evidence-shrunk form alone, over
 * gross value per buyer, and is capped at 0.5 as long as no verified buyers are configured. Payers without an account
 * count as one buyer together.
 */
export function reputationOf(settlements: readonly Settlement[], at: Date): Reputation {
  const genuine = settlements.filter(
    ({ payerAccountId, workerAccountId }) => payerAccountId === null || payerAccountId !== workerAccountId,
  );
  const repetitions = repetitionWeights(genuine);
  const evidence = genuine.map((settlement, index) => evidenceOf(settlement, repetitions[index] ?? 1, at));
  const career = posteriorMean(evidence, CAREER_HALF_LIFE_DAYS);
  const recent = posteriorMean(evidence, RECENT_HALF_LIFE_DAYS);
  return {
    score: fourDecimals(CAREER_SHARE * career + RECENT_SHARE * recent),
    independenceConfidence: fourDecimals(confidenceOf(genuine)),
    settledValue: genuine.reduce((sum, { released }) => sum + released, 0n),
  };
}

interface Evidence {
  ageDays: number;
  good: number;
  bad: number;
}

/** For each settlement, in order of time, 1/2 to the number of those from the same buyer in the 30 days before it. */
function repetitionWeights(settlements: readonly Settlement[]): number[] {
  const recentByBuyer = new Map<string | null, number[]>();
  return settlements.map(({ payerAccountId, settledAt }) => {
    const time = settledAt.getTime();
    const known = recentByBuyer.get(payerAccountId) ?? [];
    const recent = known.filter((earlier) => earlier > time - REPEAT_WINDOW_DAYS * DAY_MS).slice(-MAX_REPEATS);
    recentByBuyer.set(payerAccountId, [...recent, time]);
    return 2 ** -recent.length;
  });
}

function evidenceOf(settlement: Settlement, repetition: number, at: Date): Evidence {
  const success = shareReleased(settlement);
  const failureWeight = settlement.outcome === 'abandoned' ? ABANDONMENT_WEIGHT : 1;
  return {
    ageDays: Math.max(0, at.getTime() - settlement.settledAt.getTime()) / DAY_MS,
    good: repetition * BUYER_INDEPENDENCE * success,
    bad: repetition * (NEGATIVE_FLOOR + (1 - NEGATIVE_FLOOR) * BUYER_INDEPENDENCE) * (1 - success) * failureWeight,
  };
}

function posteriorMean(evidence: readonly Evidence[], halfLifeDays: number): number {
  let good = PRIOR_MEAN * PRIOR_STRENGTH;
  let all = PRIOR_STRENGTH;
  for (const item of evidence) {
    const decay = 2 ** (-item.ageDays / halfLifeDays);
    good += decay * item.good;
    all += decay * (item.good + item.bad);
  }
  return good / all;
}

function confidenceOf(settlements: readonly Settlement[]): number {
  const valueByBuyer = new Map<string | null, bigint>();
  for (const { payerAccountId, released } of settlements) {
    valueByBuyer.set(payerAccountId, (valueByBuyer.get(payerAccountId) ?? 0n) + released);
  }
  let units = 0;
  for (const value of valueByBuyer.values()) {
    units += Math.min(EVIDENCE_CAP, Math.log2(1 + Number(value) / EVIDENCE_UNIT));
  }
  return Math.min(UNANCHORED_CONFIDENCE_CAP, (BUYER_INDEPENDENCE * units) / (units + EVIDENCE_SHRINKAGE));
}

function shareReleased({ amount, released }: Settlement): number {
  return amount === 0n ? 0 : Math.min(1, Number(released) / Number(amount));
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

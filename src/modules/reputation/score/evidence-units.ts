import {
  ABANDONMENT_WEIGHT,
  CAREER_HALF_LIFE_DAYS,
  EVIDENCE_EPOCH_MS,
  RECENT_HALF_LIFE_DAYS,
  REPEAT_WINDOW_DAYS,
  REPEATS_COUNTED,
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
 * Good and bad work as whole numbers of 2^-160: sums of them are the same in any order, and what is taken away again
 * leaves no rest.
 */
export interface EvidenceUnits {
  careerGood: bigint;
  careerBad: bigint;
  recentGood: bigint;
  recentBad: bigint;
}

const DAY_MS = 86_400_000;
const UNITS_IN_ONE = 2 ** 160;

export const NO_UNITS: EvidenceUnits = { careerGood: 0n, careerBad: 0n, recentGood: 0n, recentBad: 0n };

/** What evidence at this time is multiplied by when it is summed up, and its sum divided by when it is read. */
export function forwardFactor(timeMs: number, halfLifeDays: number): number {
  return 2 ** ((timeMs - EVIDENCE_EPOCH_MS) / DAY_MS / halfLifeDays);
}

/**
 * What one settlement says. Work for another wallet than the agent's present one is history, but not recent: whoever has
 * bought or taken over an agent begins its last 60 days anew. rule: docs/decisions/ranking.md#other-attacks
 * @param earlier settlements for the same buyer within the 30 days before it.
 */
export function unitsOf(settlement: Settlement, earlier: number): EvidenceUnits {
  if (earlier >= REPEATS_COUNTED) return NO_UNITS;
  const time = settlement.settledAt.getTime();
  const success = shareReleased(settlement);
  const good = success * 2 ** -earlier;
  const bad = (1 - success) * (settlement.outcome === 'abandoned' ? ABANDONMENT_WEIGHT : 1) * 2 ** -earlier;
  const career = forwardFactor(time, CAREER_HALF_LIFE_DAYS);
  const recent = settlement.isPresentWallet ? forwardFactor(time, RECENT_HALF_LIFE_DAYS) : 0;
  return {
    careerGood: whole(career * good),
    careerBad: whole(career * bad),
    recentGood: whole(recent * good),
    recentBad: whole(recent * bad),
  };
}

/** How many of those before it each settlement follows within 30 days; they are given in order of time. */
export function repetitionsOf(settlements: readonly { settledAt: Date }[]): number[] {
  let windowStart = 0;
  return settlements.map(({ settledAt }, index) => {
    const opens = settledAt.getTime() - REPEAT_WINDOW_DAYS * DAY_MS;
    while ((settlements[windowStart]?.settledAt.getTime() ?? opens + 1) <= opens) windowStart += 1;
    return index - windowStart;
  });
}

export function plus(one: EvidenceUnits, other: EvidenceUnits, sign: 1n | -1n = 1n): EvidenceUnits {
  return {
    careerGood: one.careerGood + sign * other.careerGood,
    careerBad: one.careerBad + sign * other.careerBad,
    recentGood: one.recentGood + sign * other.recentGood,
    recentBad: one.recentBad + sign * other.recentBad,
  };
}

/** As a number of whole settlements at the start of the forward decay. */
export function numberOf(units: bigint): number {
  return Number(units) / UNITS_IN_ONE;
}

/** A number as whole units: without a rest unless it is below 2^-107. */
export function whole(value: number): bigint {
  return BigInt(Math.round(value * UNITS_IN_ONE));
}

function shareReleased({ amount, released }: Settlement): number {
  return amount === 0n ? 0 : Math.min(1, Number(released) / Number(amount));
}

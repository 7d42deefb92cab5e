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
  /** Amount of the node, base units. */
  amount: bigint;
  /** Base units paid to the worker, at most `amount`. */
  released: bigint;
  /** `Node.outcome` of the interface; `abandoned` weighs less than other failures. */
  outcome: string;
  settledAt: Date;
  /** True when the wallet that worked is the agent's present wallet. */
  isPresentWallet: boolean;
}

/**
 * Good and bad work as whole numbers of units of 2^-160, so that sums do not depend on the order and subtracting a
 * settlement leaves no rounding error.
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

/**
 * Factor of the forward decay: evidence at this time is multiplied by it when it is added, and a sum is divided by the
 * factor of the reading time.
 */
export function forwardFactor(timeMs: number, halfLifeDays: number): number {
  return 2 ** ((timeMs - EVIDENCE_EPOCH_MS) / DAY_MS / halfLifeDays);
}

/**
 * Evidence of one settlement. Work by another wallet than the agent's present one does not count as recent, so that
 * somebody who buys or takes over an agent does not take over its last 60 days.
 * rule: docs/decisions/ranking.md#other-attacks
 * @param earlier number of settlements for the same buyer in the 30 days before this one.
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

/**
 * For each settlement, the number of earlier ones within the 30 days before it. The settlements must be in order of
 * time.
 */
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

/** Units as a number of settlements at the start of the forward decay. */
export function numberOf(units: bigint): number {
  return Number(units) / UNITS_IN_ONE;
}

/** A number as whole units; exact unless the number is below 2^-107. */
export function whole(value: number): bigint {
  return BigInt(Math.round(value * UNITS_IN_ONE));
}

function shareReleased({ amount, released }: Settlement): number {
  return amount === 0n ? 0 : Math.min(1, Number(released) / Number(amount));
}

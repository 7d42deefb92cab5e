import { MIN_WORK_SECONDS } from '#libs/contracts';

/** The times of an offer. */
export interface OfferTimes {
  /** For the work, from the payment on. */
  workSeconds: number;
  /** Unix seconds. */
  validUntil: number;
  /** True for an offer to the buyer, false for one to the worker of another node. */
  isRoot: boolean;
}

const DAY = 86_400;
/**
 * An offer is valid for at least 10 minutes and at most 30 days. rule: docs/decisions/interface.md#fields-and-ranges
 */
const MIN_VALIDITY = 600;
const MAX_VALIDITY = 30 * DAY;
/**
 * A buyer's worker gets at least 24 hours to deliver. The contract takes one hour to 365 days, because a worker who has 24
 * hours could hire nobody else otherwise. rule: docs/decisions/escrow.md#time-windows
 */
const MIN_ROOT_WORK_SECONDS = DAY;
export const MAX_WORK_SECONDS = 365 * DAY;
/**
 * Seconds that an offer is valid when its request says nothing: an offer lives for days
 * (docs/decisions/escrow.md#kept-signatures). (policy)
 */
export const DEFAULT_VALIDITY_SECONDS = 3 * DAY;

/** The fault in the times of an offer made at `nowSeconds`, as one sentence; null when there is none. */
export function offerTimesFault({ workSeconds, validUntil, isRoot }: OfferTimes, nowSeconds: number): string | null {
  if (!Number.isInteger(workSeconds) || !Number.isInteger(validUntil)) return 'Times are whole seconds.';
  const validity = validUntil - nowSeconds;
  if (validity < MIN_VALIDITY || validity > MAX_VALIDITY) {
    return 'valid_until lies between 10 minutes and 30 days from now.';
  }
  if (workSeconds < (isRoot ? MIN_ROOT_WORK_SECONDS : MIN_WORK_SECONDS) || workSeconds > MAX_WORK_SECONDS) {
    const least = isRoot ? '24 hours' : 'one hour';
    return `The time to work, work_seconds or from now until deadline, is ${least} to 365 days.`;
  }
  return null;
}

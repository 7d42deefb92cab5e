/** The times of an offer, in unix seconds. */
export interface OfferTimes {
  deliverBy: number;
  validUntil: number;
}

const DAY = 86_400;
/**
 * An offer is valid for at least 10 minutes and at most 30 days. rule: docs/decisions/interface.md#fields-and-ranges
 */
const MIN_VALIDITY = 600;
const MAX_VALIDITY = 30 * DAY;
/**
 * A worker gets at least 24 hours to deliver; the contract allows at most 365 days.
 * rule: docs/decisions/escrow.md#time-windows
 */
const MIN_DELIVERY = DAY;
const MAX_DELIVERY = 365 * DAY;
/**
 * Seconds that an offer is valid when its request says nothing: an offer lives for days
 * (docs/decisions/escrow.md#kept-signatures). (policy)
 */
export const DEFAULT_VALIDITY_SECONDS = 3 * DAY;

/** The fault in the times of an offer made at `nowSeconds`, as one sentence; null when there is none. */
export function offerTimesFault({ deliverBy, validUntil }: OfferTimes, nowSeconds: number): string | null {
  if (!Number.isInteger(deliverBy) || !Number.isInteger(validUntil)) return 'Times are whole seconds.';
  const validity = validUntil - nowSeconds;
  if (validity < MIN_VALIDITY || validity > MAX_VALIDITY) {
    return 'valid_until lies between 10 minutes and 30 days from now.';
  }
  const delivery = deliverBy - nowSeconds;
  if (delivery < MIN_DELIVERY || delivery > MAX_DELIVERY) {
    return 'deadline lies between 24 hours and 365 days from now.';
  }
  if (validUntil > deliverBy) return 'valid_until is not after deadline.';
  return null;
}

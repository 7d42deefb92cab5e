import type { QuoteStatus } from './quote.entity.js';

/** The instants that decide about an offer, in unix seconds. */
export interface OfferTimes {
  deliverBy: number;
  validUntil: number;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** An offer stands at least 10 minutes and at most 30 days. rule: design/lifecycle.md §3.1 */
const MIN_VALIDITY = 600;
const MAX_VALIDITY = 30 * DAY;
/** Work takes at least 24 hours; the contract holds no node longer than 365 days. rule: design/contract.md §1.5 */
const MIN_DELIVERY = DAY;
const MAX_DELIVERY = 365 * DAY;

/** The statuses in which only the worker sees the quote. rule: design/interface.md §6 */
export const UNSIGNED_STATUSES = ['draft', 'pending_signature'] as const satisfies readonly QuoteStatus[];

/**
 * The status that the wire shows: an offer that nobody took up in time has expired, whether or not a row says so.
 * The worker may be taken at its word while `nowSeconds <= validUntil`.
 */
export function quoteStatusAt(status: QuoteStatus, validUntil: number, nowSeconds: number): QuoteStatus {
  const isOpenOffer = status === 'submitted' || status === 'pending_signature';
  return isOpenOffer && nowSeconds > validUntil ? 'expired' : status;
}

/** What is wrong with the times of an offer made at `nowSeconds`, in one sentence, or null. */
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

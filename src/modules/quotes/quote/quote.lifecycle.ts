import type { QuoteStatus } from './quote.entity.js';

/** The times of an offer, in unix seconds. */
export interface OfferTimes {
  deliverBy: number;
  validUntil: number;
}

/**
 * Causes of a status change: the worker's signature, the chain's facts about the node and the nonce (which a
 * reorganisation may undo), and the end of its time.
 */
export type QuoteCause = 'signature' | 'chain' | 'time';

const HOUR = 3_600;
const DAY = 24 * HOUR;
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

/** The statuses in which only the worker sees the quote. rule: docs/decisions/interface.md#visibility */
export const UNSIGNED_STATUSES = ['draft', 'pending_signature'] as const satisfies readonly QuoteStatus[];

/**
 * The status changes of a quote: from, to, and the cause. Facts of the chain override everything, so they lead to every
 * status that a signed quote can have:
 *
 * - `accepted`: the quoted node was opened with its worker. When a reorganisation undoes that, the status follows
 *   from the signature.
 * - `withdrawn`: the quote's nonce was cancelled or used for something else. No operation withdraws a signed offer.
 * - `declined`: for a root node, another root node was paid. When that node's money goes back, the quote is
 *   `submitted` again.
 * - `expired` is never stored: `submitted` and `pending_signature` are shown so after their time, and the chain
 *   changes the stored status.
 */
const TRANSITIONS: Readonly<Record<QuoteStatus, Readonly<Partial<Record<QuoteStatus, QuoteCause>>>>> = {
  draft: { submitted: 'signature', accepted: 'chain' },
  pending_signature: { submitted: 'signature', accepted: 'chain', expired: 'time' },
  submitted: { accepted: 'chain', declined: 'chain', withdrawn: 'chain', expired: 'time' },
  accepted: { pending_signature: 'chain', submitted: 'chain', declined: 'chain', withdrawn: 'chain' },
  declined: { submitted: 'chain', accepted: 'chain', withdrawn: 'chain' },
  withdrawn: { submitted: 'chain', accepted: 'chain', declined: 'chain' },
  expired: { accepted: 'chain', declined: 'chain', withdrawn: 'chain' },
};

/** The statuses that end when the quote's time ends. */
export const EXPIRING_STATUSES: readonly QuoteStatus[] = (Object.keys(TRANSITIONS) as QuoteStatus[]).filter((status) =>
  mayBecome(status, 'expired', 'time'),
);

/** True when this cause leads from one status to the other; false when both are the same. */
export function mayBecome(from: QuoteStatus, to: QuoteStatus, cause: QuoteCause): boolean {
  return TRANSITIONS[from][to] === cause;
}

/** True while the worker has not signed. */
export function isUnsigned(status: QuoteStatus): boolean {
  return mayBecome(status, 'submitted', 'signature');
}

/**
 * The status to show at `nowSeconds`: an offer that was not signed or accepted in time is `expired`, although its row
 * does not say so. The stored status holds while `nowSeconds <= standsUntil`.
 * @param standsUntil unix seconds: the signature's `validUntil`, or for an unsigned quote the end of its action.
 */
export function quoteStatusAt(status: QuoteStatus, standsUntil: number, nowSeconds: number): QuoteStatus {
  return mayBecome(status, 'expired', 'time') && nowSeconds > standsUntil ? 'expired' : status;
}

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

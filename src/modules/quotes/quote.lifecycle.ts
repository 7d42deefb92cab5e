import type { QuoteStatus } from './quote.entity.js';

/** The instants that decide about an offer, in unix seconds. */
export interface OfferTimes {
  deliverBy: number;
  validUntil: number;
}

/**
 * What moves a quote: its worker's signature, what the chain shows of its node and its nonce (or a reorganisation takes
 * back), and the end of its time.
 */
export type QuoteCause = 'signature' | 'chain' | 'time';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** An offer stands at least 10 minutes and at most 30 days. rule: docs/decisions/interface.md#fields-and-ranges */
const MIN_VALIDITY = 600;
const MAX_VALIDITY = 30 * DAY;
/**
 * Work takes at least 24 hours; the contract holds no node longer than 365 days.
 * rule: docs/decisions/escrow.md#time-windows
 */
const MIN_DELIVERY = DAY;
const MAX_DELIVERY = 365 * DAY;

/** The statuses in which only the worker sees the quote. rule: docs/decisions/interface.md#visibility */
export const UNSIGNED_STATUSES = ['draft', 'pending_signature'] as const satisfies readonly QuoteStatus[];

/**
 * The table of a quote's life: from, to, and by what. Facts win, so the chain leads anywhere that a signature allows:
 *
 * - `accepted`: its node was opened with its worker. Taken back by a reorganisation it is what its signature makes it.
 * - `withdrawn`: its nonce was cancelled or used for something else. No operation withdraws a signed offer.
 * - `declined`: for a root node, another root node was paid; it stands again when that one's money went back.
 * - `expired` is never written: it is what `submitted` and `pending_signature` are once their time is over, so the
 *   chain's ways out of it are those of the status that the row has.
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

/** The statuses that the end of an offer's time ends. */
export const EXPIRING_STATUSES: readonly QuoteStatus[] = (Object.keys(TRANSITIONS) as QuoteStatus[]).filter((status) =>
  mayBecome(status, 'expired', 'time'),
);

/** True when this cause leads from one status to the other; to stay is no move. */
export function mayBecome(from: QuoteStatus, to: QuoteStatus, cause: QuoteCause): boolean {
  return TRANSITIONS[from][to] === cause;
}

/** True while the worker has not signed. */
export function isUnsigned(status: QuoteStatus): boolean {
  return mayBecome(status, 'submitted', 'signature');
}

/**
 * The status that the wire shows: an offer that nobody signed or took up in time has expired, whether or not a row says
 * so. It holds while `nowSeconds <= standsUntil`.
 * @param standsUntil unix seconds: the signature's `validUntil`, or the end of its action while it is unsigned.
 */
export function quoteStatusAt(status: QuoteStatus, standsUntil: number, nowSeconds: number): QuoteStatus {
  return mayBecome(status, 'expired', 'time') && nowSeconds > standsUntil ? 'expired' : status;
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

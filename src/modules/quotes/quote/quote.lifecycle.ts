import type { QuoteStatus } from './quote.entity.js';

/**
 * Causes of a status change: the worker's signature, the chain's facts about the node and the nonce (which a
 * reorganisation may undo), and the end of its time.
 */
export type QuoteCause = 'signature' | 'chain' | 'time';

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

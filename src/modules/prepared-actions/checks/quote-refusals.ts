import type { DecodedRevert } from '#libs/contracts';
import { ApiError } from '../../../platform/http/api-error.js';

/**
 * Fields for a call that is only tried: the largest nonce of all, which nothing gives out, and a time that never ends, so
 * that what is too late or used up in a revert is the other side's.
 */
export const TRIAL_FIELDS = {
  actionId: `0x${'0'.repeat(64)}`,
  requestDigest: `0x${'0'.repeat(64)}`,
  nonce: (1n << 256n) - 1n,
  validUntil: 1n << 64n,
} as const;

const ANOTHER_QUOTE = 'Ask for a new quote, or take another one.';

/**
 * What a revert of a tried call says of the signed offer inside it; null when it is about something else. `worker` is
 * the EIP-55 wallet that signed the offer.
 */
export function quoteRefusalOf({ name, args }: DecodedRevert, worker: string): ApiError | null {
  if (name === 'ActionExpired') {
    return new ApiError('quote_expired', 'The quote no longer stands on the clock of the chain.', ANOTHER_QUOTE);
  }
  if (args['signer'] !== worker) return null;
  if (name === 'NonceUsed') {
    return new ApiError(
      'state_conflict',
      'The worker has withdrawn the quote, or it was taken up already.',
      ANOTHER_QUOTE,
    );
  }
  if (name === 'InvalidSignature') {
    return new ApiError('state_conflict', "The worker's wallet no longer accepts its signature.", ANOTHER_QUOTE);
  }
  return null;
}

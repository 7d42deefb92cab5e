import type { ActionFields, DecodedRevert } from '#libs/contracts';
import { ApiError } from '../../../platform/http/api-error.js';

/** Fields for a call that is only tried. Its time never ends: a passed time is then about the other side's signature. */
export function trialFields(nonce: bigint): ActionFields {
  return { actionId: NO_HASH, requestDigest: NO_HASH, nonce, validUntil: 1n << 64n };
}

const NO_HASH = `0x${'0'.repeat(64)}` as const;

const ANOTHER_QUOTE = 'Ask for a new quote, or take another one.';

/**
 * The refusal that the revert of a tried call means for the signed offer inside the call; null when the revert is about
 * something else. `worker` is the EIP-55 wallet that signed the offer.
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

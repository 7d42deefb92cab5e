import type { DecodedRevert } from '#libs/contracts';
import { ApiError } from '../../../platform/http/api-error.js';
import type { ErrorCode } from '../../../platform/http/error-codes.js';

const READ_AGAIN = 'Read the resource again. Its state says what can be done now.';

/** What a revert of the direct call means to whoever asked for the action. Every other error is a state conflict. */
const MEANINGS: Readonly<Record<string, readonly [code: ErrorCode, reason: string, suggestion: string]>> = {
  WrongState: ['state_conflict', 'The node is in another state on the chain.', READ_AGAIN],
  LiveAllocations: [
    'state_conflict',
    'Others still work under this node and are paid from it.',
    'Ask again once they have ended without pay; the call then finalizes first those that time has ended.',
  ],
  InvalidSignature: ['wallet_mismatch', 'The chain expects another wallet for this node.', READ_AGAIN],
  ActionExpired: [
    'window_closed',
    'By the chain’s clock, the action has expired.',
    'Try again when the chain and the service agree on the time.',
  ],
  InvalidTerms: ['state_conflict', 'The signed terms can no longer be used on the chain.', READ_AGAIN],
  NodeExists: ['state_conflict', 'The quote was taken up already.', READ_AGAIN],
  TooLate: ['window_closed', 'By the chain’s clock, the time for this is over.', READ_AGAIN],
  InsufficientNodeBalance: [
    'insufficient_unallocated',
    'The node may not promise that much: its floor is the most, and a part of it is promised to others.',
    READ_AGAIN,
  ],
  WrongNonce: ['state_conflict', 'The node has moved on on the chain.', READ_AGAIN],
  NoRevisionLeft: ['state_conflict', 'The worker has delivered again as often as the terms allow.', READ_AGAIN],
  AncestorClosed: ['state_conflict', 'The money for this node went back to a hirer above it.', READ_AGAIN],
  AncestorNotSettled: [
    'state_conflict',
    'The node is paid from a node above that is not settled yet.',
    'Wait until the nodes above are released.',
  ],
  InvalidRecipient: ['state_conflict', 'The escrow pays nothing out to itself.', 'Name another destination.'],
  InsufficientRefund: ['state_conflict', 'The refund balance on the chain is too small for this.', READ_AGAIN],
  ERC20InsufficientBalance: ['state_conflict', 'The wallet has too little USDC.', 'Add the missing amount.'],
  ERC20InsufficientAllowance: [
    'state_conflict',
    'The wallet does not allow the escrow to take this much USDC.',
    'Approve the escrow first.',
  ],
  TokenPaused: ['state_conflict', 'USDC is paused by its issuer.', 'Try again later.'],
  AccountBlacklisted: ['state_conflict', "An account of the payment is on the deny list of USDC's issuer.", READ_AGAIN],
  TooEarly: [
    'window_not_open',
    'By the chain’s clock, it is too early for this.',
    'Try again when the chain has a newer block.',
  ],
  ArtifactMismatch: ['state_conflict', 'Another artifact was delivered in the meantime.', READ_AGAIN],
  NoArbiter: ['state_conflict', 'The task has no arbiter.', READ_AGAIN],
  NonceUsed: ['state_conflict', 'The action’s nonce was already used or cancelled on the chain.', READ_AGAIN],
};

/**
 * The refusal of an action that would revert if it were sent now
 * (docs/decisions/escrow.md#tried-before-it-is-returned).
 */
export function refusalOf(revert: DecodedRevert | null): ApiError {
  const meaning = revert === null ? undefined : MEANINGS[revert.name];
  const [code, reason, suggestion] = meaning ?? [
    'state_conflict',
    'The chain would refuse this action now.',
    READ_AGAIN,
  ];
  return new ApiError(code, reason, suggestion);
}

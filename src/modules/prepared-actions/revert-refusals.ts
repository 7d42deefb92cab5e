import type { DecodedRevert } from '#libs/contracts';
import { ApiError } from '../../platform/http/api-error.js';
import type { ErrorCode } from '../../platform/http/error-codes.js';

const READ_AGAIN = 'Read the resource again; its state says what can be done now.';

/** What a revert of the direct call means to whoever asked for the action. Every other error is a state conflict. */
const MEANINGS: Readonly<Record<string, readonly [code: ErrorCode, reason: string, suggestion: string]>> = {
  WrongState: ['state_conflict', 'The state of the node on the chain does not allow this now.', READ_AGAIN],
  LiveAllocations: [
    'state_conflict',
    'The node has live subcontracts that are paid out of it.',
    'Wait until they are refunded or abandoned.',
  ],
  InvalidSignature: [
    'wallet_mismatch',
    'The wallet known for this node is not the one the chain would accept.',
    READ_AGAIN,
  ],
  ActionExpired: [
    'window_closed',
    'On the clock of the chain the action would have expired already.',
    'Try again when the chain and the service agree on the time.',
  ],
  InvalidTerms: ['state_conflict', 'The terms that were signed cannot be opened on the chain any more.', READ_AGAIN],
  NodeExists: ['state_conflict', 'The quote has been taken up already.', READ_AGAIN],
  TooLate: ['window_closed', 'On the clock of the chain the time for this has passed.', READ_AGAIN],
  InsufficientNodeBalance: [
    'insufficient_unallocated',
    'The node has not enough money left that is not promised to others.',
    READ_AGAIN,
  ],
  TreeTooDeep: [
    'nesting_violation',
    'The node is on the deepest level that a tree may have.',
    'Hire on a higher level.',
  ],
  AncestorClosed: [
    'state_conflict',
    'The money that this node is made of has gone back to a hirer above it.',
    READ_AGAIN,
  ],
  AncestorNotSettled: [
    'state_conflict',
    'The node lives on the money of a node above that is not settled yet.',
    'Wait until the nodes above are released.',
  ],
  InvalidRecipient: ['state_conflict', 'The escrow pays nothing out to itself.', 'Name another destination.'],
  InsufficientRefund: ['state_conflict', 'The refund balance on the chain is too small for this.', READ_AGAIN],
  ERC20InsufficientBalance: ['state_conflict', 'The wallet has too little USDC.', 'Bring the missing amount to it.'],
  ERC20InsufficientAllowance: [
    'state_conflict',
    'The escrow may not take this much of the USDC of the wallet.',
    'Approve the escrow first.',
  ],
  TokenPaused: ['state_conflict', 'USDC is paused by its issuer.', 'Try again later.'],
  AccountBlacklisted: ['state_conflict', "An account of the payment is on the deny list of USDC's issuer.", READ_AGAIN],
  TooEarly: [
    'window_not_open',
    'On the clock of the chain the time for this has not come.',
    'Try again when the chain has a newer block.',
  ],
  ArtifactMismatch: ['state_conflict', 'Another artifact has been delivered meanwhile.', READ_AGAIN],
  NoArbiter: ['state_conflict', 'The tree names no arbiter who could rule.', READ_AGAIN],
  NonceUsed: ['state_conflict', 'The nonce of the action has been used or cancelled on the chain.', 'Try again.'],
};

/** The refusal of an action that would revert if it were sent now (design/contract.md §7). */
export function refusalOf(revert: DecodedRevert | null): ApiError {
  const meaning = revert === null ? undefined : MEANINGS[revert.name];
  const [code, reason, suggestion] = meaning ?? [
    'state_conflict',
    'The chain would refuse this action now.',
    READ_AGAIN,
  ];
  return new ApiError(code, reason, suggestion);
}

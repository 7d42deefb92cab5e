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

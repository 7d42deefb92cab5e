import { checksumAddress, encodeClaimNonDelivery, escrowTypedData } from '#libs/contracts';
import { ApiError } from '../../../platform/http/api-error.js';
import type { NodeInput } from '../action/intent-inputs.js';
import { storedNode } from '../action/stored-request.js';
import { nodeKind } from '../checks/node-kind.js';

/**
 * Sends the money of a node that was not delivered in time back to where it came from. Whoever may see the node may
 * prepare it, because the caller does not change where the money goes (docs/decisions/escrow.md#signed-actions).
 */
export const ClaimNonDelivery = nodeKind<NodeInput, object>({
  event: 'claim_non_delivery',
  scopes: ['read'],
  inputOf: storedNode,
  nodeFor: ({ nodes }, { accountId }, { taskId, nodeId }) => nodes.find(accountId, taskId, nodeId),
  signerOf: (_node, { walletAddress }) => {
    if (walletAddress !== null) return checksumAddress(walletAddress);
    throw new ApiError('wallet_mismatch', 'The account has no wallet.', 'Link a wallet to the account first.');
  },
  ownOf: () => ({}),
  ownIn: () => ({}),
  typedData: (domain, { nodeId, token, node: { amount } }, fields) =>
    escrowTypedData('ClaimNonDelivery', domain, { nodeId, token, amount, ...fields }),
  encode: ({ nodeId, signer }, auth) => encodeClaimNonDelivery(nodeId, signer, auth),
});

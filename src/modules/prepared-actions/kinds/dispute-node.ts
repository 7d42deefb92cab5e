import { encodeDisputeNode, escrowTypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { NodeInput } from '../action/intent-inputs.js';
import { storedBody, storedNode } from '../action/stored-request.js';
import { DisputeBody, evidenceIn } from '../dto/dispute.body.js';
import { nodeKind } from '../checks/node-kind.js';
import { readBytes32 } from '../payload/typed-message.js';

export interface DisputeInput extends NodeInput {
  /** SHA-256 of what the worker shows the arbiter; absent: nothing. */
  readonly evidenceHash?: Hex;
}

const NO_EVIDENCE: Hex = `0x${'0'.repeat(64)}`;

/** A worker contests a rejection before the arbiter that both sides signed up to. */
export const DisputeNode = nodeKind<DisputeInput, { readonly evidenceHash: Hex }>({
  event: 'dispute_node',
  scopes: ['worker'],
  inputOf: (request) => ({ ...storedNode(request), ...evidenceIn(storedBody(DisputeBody, request)) }),
  nodeFor: ({ intents }, { accountId }, { taskId, nodeId }) => intents.workedBy(accountId, taskId, nodeId),
  signerOf: ({ workerWallet }) => workerWallet,
  ownOf: ({ evidenceHash = NO_EVIDENCE }) => ({ evidenceHash }),
  ownIn: (message) => ({ evidenceHash: readBytes32(message, 'evidenceHash') }),
  typedData: (domain, { nodeId, evidenceHash }, fields) =>
    escrowTypedData('DisputeNode', domain, { nodeId, evidenceHash, ...fields }),
  encode: ({ nodeId, evidenceHash }, auth) => encodeDisputeNode(nodeId, evidenceHash, auth),
});

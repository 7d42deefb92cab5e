import { encodeRejectTask, escrowTypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { NO_REASON, reasonHashOf } from '../../deliveries/rejection-reason-store.js';
import type { ReviewInput } from '../action/intent-inputs.js';
import { storedReview } from '../action/stored-request.js';
import { deliveredArtifact } from '../checks/node-intents.js';
import { RejectionBody, rejectionIn, TaskRejectionBody } from '../dto/rejection.body.js';
import { nodeKind } from '../checks/node-kind.js';
import { readBytes32 } from '../payload/typed-message.js';

export interface RejectionInput extends ReviewInput {
  /** What the worker is told; absent: the rejection gives no reason. */
  readonly reason?: string;
}

/** A hirer rejects the delivered work while its accept window runs. */
export const RejectTask = nodeKind<RejectionInput, { readonly artifactHash: Hex; readonly reasonHash: Hex }>({
  event: 'reject_task',
  scopes: ['buyer', 'worker'],
  inputOf: (request) => {
    const { node, body } = storedReview(request, RejectionBody, TaskRejectionBody);
    return { ...node, ...rejectionIn(body) };
  },
  scopeFor: ({ nodeId }) => (nodeId === null ? 'buyer' : 'worker'),
  nodeFor: ({ intents }, { accountId }, input) => intents.reviewedBy(accountId, input),
  signerOf: ({ hirerWallet }) => hirerWallet,
  ownOf: ({ reason }, node) => ({
    artifactHash: deliveredArtifact(node),
    reasonHash: reason === undefined ? NO_REASON : reasonHashOf(reason),
  }),
  ownIn: (message) => ({
    artifactHash: readBytes32(message, 'artifactHash'),
    reasonHash: readBytes32(message, 'reasonHash'),
  }),
  typedData: (domain, { nodeId, artifactHash, reasonHash }, fields) =>
    escrowTypedData('RejectTask', domain, { nodeId, artifactHash, reasonHash, ...fields }),
  encode: ({ nodeId, artifactHash, reasonHash }, auth) => encodeRejectTask(nodeId, artifactHash, reasonHash, auth),
  // The chain keeps only the hash; the text is shown once the chain has it.
  record: async ({ reasons }, manager, { input: { reason }, node }) => {
    if (reason !== undefined) await reasons.keep(manager, node.id, reason);
  },
});

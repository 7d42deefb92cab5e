import { encodeResolveTask, escrowTypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { ReviewInput } from '../action/intent-inputs.js';
import { storedReview } from '../action/stored-request.js';
import { deliveredArtifact } from '../checks/node-intents.js';
import { nodeKind } from '../checks/node-kind.js';
import { ResolutionBody, TaskResolutionBody } from '../dto/resolution.body.js';
import { readBytes32 } from '../payload/typed-message.js';

/** A hirer accepts the delivered work, or gives in while its own rejection can still be contested or ruled on. */
export const ResolveTask = nodeKind<ReviewInput, { readonly artifactHash: Hex }>({
  event: 'resolve_task',
  scopes: ['buyer', 'worker'],
  inputOf: (request) => storedReview(request, ResolutionBody, TaskResolutionBody).node,
  scopeFor: ({ nodeId }) => (nodeId === null ? 'buyer' : 'worker'),
  nodeFor: ({ intents }, { accountId }, input) => intents.reviewedBy(accountId, input),
  signerOf: ({ hirerWallet }) => hirerWallet,
  ownOf: (_input, node) => ({ artifactHash: deliveredArtifact(node) }),
  ownIn: (message) => ({ artifactHash: readBytes32(message, 'artifactHash') }),
  typedData: (domain, { nodeId, token, artifactHash, node: { worker, amount } }, fields) =>
    escrowTypedData('ResolveTask', domain, { nodeId, worker, token, amount, artifactHash, ...fields }),
  encode: ({ nodeId, artifactHash }, auth) => encodeResolveTask(nodeId, artifactHash, auth),
});

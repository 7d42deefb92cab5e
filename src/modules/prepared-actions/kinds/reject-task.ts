import { encodeRejectTask, escrowTypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { hasRevisionLeft, type NodeFacts } from '../../escrow/node/node-outlook.js';
import { NO_REASON, reasonHashOf } from '../../deliveries/rejection-reason-store.js';
import type { ReviewInput } from '../action/intent-inputs.js';
import { storedReview } from '../action/stored-request.js';
import { deliveredArtifact } from '../checks/node-intents.js';
import { RejectionBody, rejectionIn, TaskRejectionBody } from '../dto/rejection.body.js';
import { nodeKind } from '../checks/node-kind.js';
import { TIME_TO_SIGN_SECONDS } from '../action/prepared-kind.js';
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
  latestSecondsFor: ({ facts }, nowSeconds) => lastWithAnotherTry(facts, nowSeconds),
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

/**
 * The last second at which the rejection leaves the worker time to deliver again. One that is mined later may end the node
 * at once, which is not what its hirer read. Undefined where nothing can be delivered again, or so little time is left that
 * nobody could sign: the client then says that the rejection may be final, because its signature outlives that time.
 */
function lastWithAnotherTry(node: NodeFacts, nowSeconds: number): number | undefined {
  const last = node.deliverBy - 1;
  return hasRevisionLeft(node) && last - nowSeconds >= TIME_TO_SIGN_SECONDS ? last : undefined;
}

import { encodeDeliver, escrowTypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import { eventFault } from '../../escrow/node/node-outlook.js';
import type { StandingNode } from '../../escrow/node/node-authority.js';
import { storedBody } from '../action/stored-request.js';
import { deliveryIn, DeliverySubmissionBody } from '../dto/delivery-submission.body.js';
import { nodeKind } from '../checks/node-kind.js';
import { readBytes32, readFlag } from '../payload/typed-message.js';
import type { NodeKindServices } from '../checks/node-kind-services.js';

export interface DeliveryInput {
  readonly taskId: string;
  /** SHA-256 of the artifact, lower case. */
  readonly artifactHash: Hex;
  /** What the upload of the artifact returned. */
  readonly custodyReceipt: string;
  /** Whether the node is to be paid out to the worker's own wallet as soon as it settles. */
  readonly payOut: boolean;
  /** Absent: the caller's only node of the task that can be delivered to. */
  readonly nodeId?: string;
}

/** A worker delivers an artifact that is in custody: for the first time, or again after a rejection. */
export const Deliver = nodeKind<DeliveryInput, { readonly artifactHash: Hex; readonly payOut: boolean }>({
  event: 'deliver',
  scopes: ['worker'],
  inputOf: (request) => deliveryIn(storedBody(DeliverySubmissionBody, request)),
  nodeFor: async (services, { accountId }, input) => {
    const { artifactHash, custodyReceipt } = input;
    // A wrong receipt is a fault of the body, so it is refused before anything about the task is revealed.
    if ((await services.custody.verifyReceipt(accountId, artifactHash, custodyReceipt)) === null) {
      throw unprovenReceipt();
    }
    return deliverableNode(services, accountId, input);
  },
  signerOf: ({ workerWallet }) => workerWallet,
  ownOf: ({ artifactHash, payOut }) => ({ artifactHash, payOut }),
  ownIn: (message) => ({ artifactHash: readBytes32(message, 'artifactHash'), payOut: readFlag(message, 'payOut') }),
  typedData: (domain, { nodeId, artifactHash, payOut }, fields) =>
    escrowTypedData('Deliver', domain, { nodeId, artifactHash, payOut, ...fields }),
  encode: ({ nodeId, artifactHash, payOut }, auth) => encodeDeliver(nodeId, artifactHash, payOut, auth),
  record: async ({ custody }, manager, { input: { artifactHash }, action: { accountId, validUntil } }) => {
    // Custody may have ended since the receipt was checked; from here on it lasts at least as long as the signature.
    if (await custody.keepFor(manager, accountId, artifactHash, validUntil)) return;
    throw unprovenReceipt();
  },
});

async function deliverableNode(
  { intents, nodes, clock }: NodeKindServices,
  accountId: string,
  { taskId, nodeId }: DeliveryInput,
): Promise<StandingNode> {
  if (nodeId !== undefined) return intents.workedBy(accountId, taskId, nodeId);
  const worked = await nodes.workedOn(accountId, taskId);
  const [first, ...others] = worked;
  if (first === undefined) throw new ApiError('not_node_worker', 'The caller works on no node of this task.');
  // A single node is taken even when it cannot be delivered to: the refusal of that node then says why.
  return others.length === 0 ? first : onlyOpenOf(worked, clock.nowSeconds());
}

function onlyOpenOf(nodes: readonly StandingNode[], nowSeconds: number): StandingNode {
  const [open, ...more] = nodes.filter(({ facts }) => eventFault(facts, 'deliver', nowSeconds) === null);
  if (open === undefined) {
    throw new ApiError(
      'state_conflict',
      "None of the caller's nodes of this task can be delivered to now.",
      'Read the nodes of the task; their allowed_actions say what can be done.',
    );
  }
  if (more.length > 0) {
    throw new ApiError(
      'invalid_body',
      'The caller works on several nodes of this task that can be delivered to.',
      'Name the node with node_id.',
    );
  }
  return open;
}

function unprovenReceipt(): ApiError {
  return new ApiError(
    'invalid_body',
    "custody_receipt is not this account's receipt for this artifact_hash, or the artifact is no longer in custody.",
    'Upload the artifact first and hand in the custody_receipt of the answer.',
  );
}

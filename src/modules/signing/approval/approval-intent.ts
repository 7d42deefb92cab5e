import type { Intent, TreeParties } from '#libs/prepared-action';
import { payloadDigest } from '../../prepared-actions/payload/payload-digest.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';

/**
 * The intent of an action, from the stored rows alone. The page has it in its HTML, and the document must agree with
 * it.
 */
export function intentOf(action: PreparedActionEntity, tree: TreeParties | null): Intent {
  const { kind, accountId, walletAddress, taskId, nodeId, escrowAddress, payload, request } = action;
  return {
    kind,
    principal: accountId,
    wallet: walletAddress,
    ...(taskId === null ? {} : { taskId }),
    ...(nodeId === null ? {} : { nodeId }),
    escrow: escrowAddress,
    ...(tree === null ? {} : { tree }),
    digest: payloadDigest(payload).digest,
    ...(request?.body === undefined ? {} : { body: request.body }),
  };
}

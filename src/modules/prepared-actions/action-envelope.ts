import type { PreparedAction } from '#libs/prepared-action';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** The envelope of a stored action under one of its links. */
export function envelopeOf(action: PreparedActionEntity, signingUrl: string): PreparedAction {
  return {
    action_id: action.id,
    kind: action.kind,
    principal: action.accountId,
    wallet_address: action.walletAddress,
    ...(action.taskId === null ? {} : { task_id: action.taskId }),
    ...(action.nodeId === null ? {} : { node_id: action.nodeId }),
    chain_id: Number(action.chainId),
    escrow_address: action.escrowAddress,
    nonce: action.nonce.toString(),
    request_digest: action.requestDigest,
    payload: action.payload,
    signing_url: signingUrl,
    expires_at: action.expiresAt.toISOString(),
  };
}

import type { PreparedAction } from '#libs/prepared-action';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** The envelope of an action without what is signed. */
export type ActionMembers = Omit<PreparedAction, 'payload' | 'signing_url'>;

/** What a stored action says of itself. */
export function actionMembers(action: PreparedActionEntity): ActionMembers {
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
    expires_at: action.expiresAt.toISOString(),
  };
}

/** The envelope of a stored action under one of its links. */
export function envelopeOf(action: PreparedActionEntity, signingUrl: string): PreparedAction {
  return { ...actionMembers(action), payload: action.payload, signing_url: signingUrl };
}

import type { ActionStatus } from '../action-status.js';
import type { PreparedActionEntity } from '../prepared-action.entity.js';

/** The signing page for programs (`Accept: application/json`); not part of the described interface. */
export class SigningPageDto {
  summary!: string;
  status!: ActionStatus;
  status_text!: string;
  notice!: string;
  how_to_sign!: string[];
  transaction_hash?: string;
  action!: Record<string, string>;
  payload!: Record<string, unknown>;
}

/** The members of an action that the page shows, by their names on the wire. */
export function shownMembers(action: PreparedActionEntity): Record<string, string> {
  return {
    action_id: action.id,
    kind: action.kind,
    principal: action.accountId,
    wallet_address: action.walletAddress,
    ...(action.taskId === null ? {} : { task_id: action.taskId }),
    ...(action.nodeId === null ? {} : { node_id: action.nodeId }),
    chain_id: action.chainId,
    escrow_address: action.escrowAddress,
    nonce: action.nonce.toString(),
    request_digest: action.requestDigest,
    expires_at: action.expiresAt.toISOString(),
  };
}

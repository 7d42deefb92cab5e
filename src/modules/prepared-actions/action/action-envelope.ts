import { matchCode, type PreparedAction } from '#libs/prepared-action';
import { payloadDigest } from '../payload/payload-digest.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** The envelope of an action without what is signed, and without what leads to its page. */
export type ActionMembers = Omit<PreparedAction, 'payload' | 'signing_url' | 'match_code'>;

/** The envelope as this service makes it. */
export type OwnEnvelope = PreparedAction & Required<Pick<PreparedAction, 'match_code'>>;

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
export function envelopeOf(action: PreparedActionEntity, signingUrl: string): OwnEnvelope {
  const { payload } = action;
  const match_code = matchCode(payloadDigest(payload).digest);
  return { ...actionMembers(action), payload, signing_url: signingUrl, match_code };
}

/**
 * The typed data alone. The ready calls of a payload execute it, and those of a payment carry what others have signed:
 * the creation, the selection and the offer.
 */
export function typedDataOf({ payload }: PreparedActionEntity): Record<string, unknown> {
  const { transaction: _transaction, calls: _calls, ...typedData } = payload;
  return typedData;
}

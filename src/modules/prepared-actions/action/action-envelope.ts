import { matchCode, type PreparedAction } from '#libs/prepared-action';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { payloadDigest } from '../payload/payload-digest.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** The envelope of an action without the signed payload, its match code and the link to its page. */
export type ActionMembers = Omit<PreparedAction, 'payload' | 'signing_url' | 'match_code'>;

/** The envelope as this service makes it today: always with a match code, and with what a withdrawal leaves behind. */
export type OwnEnvelope = PreparedAction & Required<Pick<PreparedAction, 'match_code'>> & { remaining?: MoneyDto };

/** What of an action the members of its envelope are made of. */
export type EnvelopeRecord = Pick<
  PreparedActionEntity,
  | 'id'
  | 'kind'
  | 'accountId'
  | 'walletAddress'
  | 'taskId'
  | 'nodeId'
  | 'chainId'
  | 'escrowAddress'
  | 'nonce'
  | 'requestDigest'
  | 'expiresAt'
>;

/** Returns the members of the envelope that the row of an action gives, without payload, link and match code. */
export function actionMembers(action: EnvelopeRecord): ActionMembers {
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

/** Returns the whole envelope of a stored action, with the given signing link. */
export function envelopeOf(action: PreparedActionEntity, signingUrl: string): OwnEnvelope {
  const { payload } = action;
  const match_code = matchCode(payloadDigest(payload).digest);
  return { ...actionMembers(action), payload, signing_url: signingUrl, match_code, ...remainingOf(action) };
}

/** What a withdrawal leaves for the next one (`unwrittenDetails`); no member where that is nothing. */
export function remainingOf({
  details: { left },
}: Pick<PreparedActionEntity, 'details'>): Pick<OwnEnvelope, 'remaining'> {
  return typeof left === 'string' ? { remaining: MoneyDto.from(BigInt(left)) } : {};
}

/**
 * Returns the typed data of an action without the ready calls of its payload. Those calls execute the action, and the
 * calls of a payment also carry signatures: of the creation, the selection and the offer.
 */
export function typedDataOf({ payload }: PreparedActionEntity): Record<string, unknown> {
  const { transaction: _transaction, calls: _calls, ...typedData } = payload;
  return typedData;
}

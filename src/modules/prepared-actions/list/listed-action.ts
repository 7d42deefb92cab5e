import type { EnvelopeRecord } from '../action/action-envelope.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';

/** What the list knows of a prepared action: all that its status and its envelope need, without what is signed. */
export interface ListedAction
  extends
    EnvelopeRecord,
    Pick<
      PreparedActionEntity,
      | 'actionIdHash'
      | 'scope'
      | 'signingTokenSealed'
      | 'createdAt'
      | 'validUntil'
      | 'signature'
      | 'transactionHash'
      | 'submittedAt'
      | 'secondHash'
      | 'secondAt'
      | 'openedAt'
      | 'declinedAt'
      | 'declinedBy'
      | 'isKept'
    > {
  /** Of a signed action its message, by which a payment is told to carry it out; empty for others. */
  readonly payload: Record<string, unknown>;
}

/** A row of the list as `pg` parses it. */
export interface ListedActionRow {
  id: string;
  action_id_hash: string;
  kind: string;
  scope: ListedAction['scope'];
  account_id: string;
  wallet_address: string;
  task_id: string | null;
  node_id: string | null;
  chain_id: string;
  escrow_address: string;
  nonce: string;
  request_digest: string;
  signing_token_sealed: Buffer;
  created_at: Date;
  expires_at: Date;
  valid_until: Date;
  is_signed: boolean;
  message: unknown;
  transaction_hash: ListedAction['transactionHash'];
  submitted_at: Date | null;
  second_hash: ListedAction['secondHash'];
  second_at: Date | null;
  opened_at: Date | null;
  declined_at: Date | null;
  declined_by: ListedAction['declinedBy'];
  is_kept: boolean;
}

/** The action of a row. */
export function listedAction(row: ListedActionRow): ListedAction {
  return {
    id: row.id,
    actionIdHash: row.action_id_hash,
    kind: row.kind,
    scope: row.scope,
    accountId: row.account_id,
    walletAddress: row.wallet_address,
    taskId: row.task_id,
    nodeId: row.node_id,
    chainId: row.chain_id,
    escrowAddress: row.escrow_address,
    nonce: BigInt(row.nonce),
    requestDigest: row.request_digest,
    signingTokenSealed: row.signing_token_sealed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    validUntil: row.valid_until,
    // Whether there is one decides the status; the list shows none.
    signature: row.is_signed ? '0x' : null,
    payload: row.is_signed ? { message: row.message } : {},
    transactionHash: row.transaction_hash,
    submittedAt: row.submitted_at,
    secondHash: row.second_hash,
    secondAt: row.second_at,
    openedAt: row.opened_at,
    declinedAt: row.declined_at,
    declinedBy: row.declined_by,
    isKept: row.is_kept,
  };
}

import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runWithNext } from '../../../platform/database/transactions.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** Spelt out because TypeORM's insert would build this same text for every request. */
const INSERT: PreparedStatement = {
  name: 'prepared-action-insert',
  text: `
  INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, task_id, node_id, chain_id,
                                escrow_address, nonce, request_digest, payload, signing_token_hash,
                                signing_token_sealed, created_at, expires_at, details,
                                valid_until, client_id, credential_id, request)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
          $21, $22)`,
};

/** Writes the row of a new action. The statement is sent together with the next one of the transaction. */
export async function insertAction(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
  await runWithNext(manager, INSERT, [
    action.id,
    action.actionIdHash,
    action.kind,
    action.scope,
    action.accountId,
    action.walletAddress,
    action.taskId,
    action.nodeId,
    action.chainId,
    action.escrowAddress,
    action.nonce.toString(),
    action.requestDigest,
    JSON.stringify(action.payload),
    action.signingTokenHash,
    action.signingTokenSealed,
    action.createdAt,
    action.expiresAt,
    JSON.stringify(action.details),
    action.validUntil,
    action.clientId,
    action.credentialId,
    action.request === null ? null : JSON.stringify(action.request),
  ]);
}

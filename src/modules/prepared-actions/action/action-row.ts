import type { EntityManager } from 'typeorm';
import { runWithNext } from '../../../platform/database/transactions.js';
import { INSERT_ACTION } from './action-row.sql.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

/** Writes the row of a new action. The statement is sent together with the next one of the transaction. */
export async function insertAction(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
  await runWithNext(manager, INSERT_ACTION, [
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

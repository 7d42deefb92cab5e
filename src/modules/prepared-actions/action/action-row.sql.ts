import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Spelt out because TypeORM's insert would build this same text for every request. */
export const INSERT_ACTION: PreparedStatement = {
  name: 'prepared-action-insert',
  text: `
  INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, task_id, node_id, chain_id,
                                escrow_address, nonce, request_digest, payload, signing_token_hash,
                                signing_token_sealed, created_at, expires_at, details,
                                valid_until, client_id, credential_id, request, told_status)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
          $21, $22, 'prepared')`,
};

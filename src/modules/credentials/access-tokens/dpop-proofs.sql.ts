import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Marks a proof as used: $1 its hash, $2 the time until which it is remembered. Gives no row for a used one. */
export const USE_PROOF: PreparedStatement = {
  name: 'dpop-proof-use',
  text: `INSERT INTO dpop_proofs (proof_hash, expires_at) VALUES ($1, $2)
    ON CONFLICT (proof_hash) DO NOTHING RETURNING expires_at`,
};

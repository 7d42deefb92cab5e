import { deleteBatch } from '../../platform/database/expired-rows.sql.js';

/** Deletes a batch of proofs of possession that are too old to be accepted again. Placeholder: before when. */
export const DELETE_EXPIRED_PROOFS = deleteBatch('dpop_proofs', 'proof_hash');

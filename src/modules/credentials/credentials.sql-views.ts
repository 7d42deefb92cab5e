import { deleteBatch } from '../../platform/database/expired-rows.sql.js';

/** Deletes a batch of proofs of possession from before the placeholder's moment: too old to be accepted again. */
export const DELETE_EXPIRED_PROOFS = deleteBatch('dpop_proofs', 'proof_hash');

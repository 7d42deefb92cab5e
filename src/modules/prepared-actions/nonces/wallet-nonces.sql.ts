import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** The next withdrawal's nonce of a wallet in an escrow; no row before the first one. Placeholders: escrow, wallet. */
export const PEEK: PreparedStatement = {
  name: 'wallet-nonce-peek',
  text: 'SELECT next_nonce AS nonce FROM wallet_nonces WHERE escrow_address = $1 AND wallet_address = $2',
};

/** Gives out the next nonce. Placeholders: escrow, wallet, the smallest nonce that may be given out. */
export const NEXT: PreparedStatement = {
  name: 'wallet-nonce-next',
  text: `
  INSERT INTO wallet_nonces AS known (escrow_address, wallet_address, next_nonce) VALUES ($1, $2, $3::numeric + 1)
  ON CONFLICT (escrow_address, wallet_address) DO UPDATE
    SET next_nonce = greatest(known.next_nonce, $3::numeric) + 1
  RETURNING next_nonce - 1 AS nonce`,
};

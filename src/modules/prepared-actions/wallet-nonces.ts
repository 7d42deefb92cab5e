import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared } from '../../platform/database/transactions.js';

interface NonceRow {
  nonce: string;
}

const PEEK: PreparedStatement = {
  name: 'wallet-nonce-peek',
  text: 'SELECT next_nonce AS nonce FROM wallet_nonces WHERE escrow_address = $1 AND wallet_address = $2',
};
const NEXT: PreparedStatement = {
  name: 'wallet-nonce-next',
  text: `
  INSERT INTO wallet_nonces AS known (escrow_address, wallet_address, next_nonce) VALUES ($1, $2, $3::numeric + 1)
  ON CONFLICT (escrow_address, wallet_address) DO UPDATE
    SET next_nonce = greatest(known.next_nonce, $3::numeric) + 1
  RETURNING next_nonce - 1 AS nonce`,
};

/**
 * Nonces of a wallet within one escrow: 0, 1, 2, … per (escrow, wallet), each given out once. One that is never used,
 * because its action expired or its transaction rolled back, is a gap; gaps are free (design/contract.md §7).
 */
@Injectable()
export class WalletNonces {
  /** The nonce that `next` would give out now; nothing is reserved. */
  async peek(manager: EntityManager, escrowAddress: string, walletAddress: string): Promise<bigint> {
    const [row] = await runPrepared<NonceRow>(manager, PEEK, [escrowAddress, walletAddress]);
    return row ? BigInt(row.nonce) : 0n;
  }

  /**
   * Gives out the next nonce that is at least `atLeast`. Callers for the same wallet and escrow wait for each other
   * from here to the end of their transactions, so call it last.
   */
  async next(manager: EntityManager, escrowAddress: string, walletAddress: string, atLeast = 0n): Promise<bigint> {
    const [row] = await runPrepared<NonceRow>(manager, NEXT, [escrowAddress, walletAddress, atLeast.toString()]);
    if (!row) throw new Error('A nonce was asked for and none was given out');
    return BigInt(row.nonce);
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

const ONE_ROW = 'the statement returns one row';

/**
 * Nonces of a wallet within one escrow: 0, 1, 2, … per (escrow, wallet), each given out once. One that is never used,
 * because its action expired or its transaction rolled back, is a gap; gaps are free (design/contract.md §7).
 */
@Injectable()
export class WalletNonces {
  /** The nonce that `next` would give out now; nothing is reserved. */
  async peek(manager: EntityManager, escrowAddress: string, walletAddress: string): Promise<bigint> {
    const rows: unknown = await manager.query(
      'SELECT next_nonce AS nonce FROM wallet_nonces WHERE escrow_address = $1 AND wallet_address = $2',
      [escrowAddress, walletAddress],
    );
    return nonceOf(rows) ?? 0n;
  }

  /**
   * Gives out the next nonce that is at least `atLeast`. Callers for the same wallet and escrow wait for each other
   * from here to the end of their transactions, so call it last.
   */
  async next(manager: EntityManager, escrowAddress: string, walletAddress: string, atLeast = 0n): Promise<bigint> {
    const rows: unknown = await manager.query(
      `INSERT INTO wallet_nonces AS known (escrow_address, wallet_address, next_nonce) VALUES ($1, $2, $3::numeric + 1)
       ON CONFLICT (escrow_address, wallet_address) DO UPDATE
         SET next_nonce = greatest(known.next_nonce, $3::numeric) + 1
       RETURNING next_nonce - 1 AS nonce`,
      [escrowAddress, walletAddress, atLeast.toString()],
    );
    const nonce = nonceOf(rows);
    if (nonce === null) throw new Error(ONE_ROW);
    return nonce;
  }
}

function nonceOf(rows: unknown): bigint | null {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  if (row === undefined) return null;
  if (typeof row === 'object' && row !== null && 'nonce' in row && typeof row.nonce === 'string') {
    return BigInt(row.nonce);
  }
  throw new Error(ONE_ROW);
}

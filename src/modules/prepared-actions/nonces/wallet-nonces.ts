import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FIRST_WITHDRAWAL_NONCE } from '#libs/kernel';
import { runPrepared, type Transactions } from '../../../platform/database/transactions.js';
import { NEXT, PEEK } from './wallet-nonces.sql.js';

interface NonceRow {
  nonce: string;
}

/**
 * Nonces of a wallet's withdrawals from one escrow: each number from `FIRST_WITHDRAWAL_NONCE` on, given out once. One
 * that is never used, because its action expired or its transaction rolled back, is a gap; gaps are free
 * (docs/decisions/escrow.md#nonces). The nonce of any other action follows from its node.
 */
@Injectable()
export class WalletNonces {
  /** The nonce that `next` would give out now; nothing is reserved. */
  async peek(transactions: Transactions, escrowAddress: string, walletAddress: string): Promise<bigint> {
    const [row] = await transactions.lookUp<NonceRow>(PEEK, [escrowAddress, walletAddress]);
    return row ? BigInt(row.nonce) : FIRST_WITHDRAWAL_NONCE;
  }

  /**
   * Gives out the next nonce that is at least `atLeast`. Callers for the same wallet and escrow wait for each other
   * from here to the end of their transactions, so call it last.
   */
  async next(
    manager: EntityManager,
    escrowAddress: string,
    walletAddress: string,
    atLeast = FIRST_WITHDRAWAL_NONCE,
  ): Promise<bigint> {
    const [row] = await runPrepared<NonceRow>(manager, NEXT, [escrowAddress, walletAddress, atLeast.toString()]);
    if (!row) throw new Error('A nonce was asked for and none was given out');
    return BigInt(row.nonce);
  }
}

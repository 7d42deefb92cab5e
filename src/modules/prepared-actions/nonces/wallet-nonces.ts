import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runPrepared, type Transactions } from '../../../platform/database/transactions.js';
import { NEXT, PEEK } from './wallet-nonces.sql.js';

interface NonceRow {
  nonce: string;
}

interface PeekRow extends NonceRow {
  sent_id: string | null;
  sent_nonce: string | null;
}

/** What a nonce is wanted for. */
export interface NonceUse {
  readonly kind: string;
  readonly nodeId: string | null;
  readonly now: Date;
}

/** An action whose transaction was handed in. */
export interface SentAction {
  readonly id: string;
  readonly nonce: bigint;
}

/**
 * Nonces of a wallet within one escrow: 0, 1, 2, … per (escrow, wallet), each given out once. One that is never used,
 * because its action expired or its transaction rolled back, is a gap; gaps are free (docs/decisions/escrow.md#nonces).
 */
@Injectable()
export class WalletNonces {
  /**
   * The nonce that `next` would give out now, and the newest action for the same use whose transaction was handed in,
   * may still be mined, and is not in the index; nothing is reserved.
   */
  async peek(
    transactions: Transactions,
    { escrowAddress, signer }: { escrowAddress: string; signer: string },
    { kind, nodeId, now }: NonceUse,
  ): Promise<{ nonce: bigint; sent: SentAction | null }> {
    const [row] = await transactions.lookUp<PeekRow>(PEEK, [escrowAddress, signer, kind, nodeId, now]);
    if (!row) return { nonce: 0n, sent: null };
    const { nonce, sent_id: id, sent_nonce: sentNonce } = row;
    return {
      nonce: BigInt(nonce),
      sent: id === null || sentNonce === null ? null : { id, nonce: BigInt(sentNonce) },
    };
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

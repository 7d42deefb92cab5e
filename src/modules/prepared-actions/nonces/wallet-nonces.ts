import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type BoundStatement, runPrepared, type Transactions } from '../../../platform/database/transactions.js';
import { NEXT, PEEK, PEEK_AHEAD } from './wallet-nonces.sql.js';

interface NonceRow {
  nonce: string;
}

interface PeekRow extends NonceRow {
  sent_id: string | null;
  sent_nonce: string | null;
}

/** What `peekAhead` has found, and for which wallet. */
export interface AheadRow extends PeekRow {
  readonly walletAddress: string;
  readonly escrow_address: string;
  readonly sent_node_id: string | null;
}

/** What a nonce is wanted for. */
export interface NonceUse {
  readonly kind: string;
  readonly nodeId: string | null;
  readonly now: Date;
}

/** What is known before an action is checked. */
interface Ahead {
  /** Absent: the request names no task. */
  readonly taskId?: string;
  /** The caller's own wallet; null: it has none. */
  readonly walletAddress: string | null;
  readonly kind: string;
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
   * Looks up what `peek` wants to know while it is not known yet who signs, and for which node: for the caller's own
   * wallet in the escrow of the task. Never throws, and locks nothing.
   * @returns null when nothing can be looked up before.
   */
  async peekAhead(transactions: Transactions, { taskId, walletAddress, kind, now }: Ahead): Promise<AheadRow | null> {
    // The connection of an open transaction runs one statement after the other, so that nothing would be won.
    if (taskId === undefined || walletAddress === null || transactions.manager.queryRunner) return null;
    try {
      const [row] = await transactions.lookUp<AheadRow>(PEEK_AHEAD, [taskId, walletAddress, kind, now]);
      return row ? { ...row, walletAddress } : null;
    } catch {
      // `peek` says what is wrong when it is wanted, and whoever may not see the task is told that first.
      return null;
    }
  }

  /**
   * The nonce that `next` would give out now, and the newest action for the same use whose transaction was handed in,
   * may still be mined, and is not in the index; nothing is reserved.
   * @param ahead what `peekAhead` has found; it is taken if it is for this wallet and use.
   */
  async peek(
    transactions: Transactions,
    { escrowAddress, signer }: { escrowAddress: string; signer: string },
    { kind, nodeId, now }: NonceUse,
    ahead: AheadRow | null = null,
  ): Promise<{ nonce: bigint; sent: SentAction | null }> {
    if (ahead?.escrow_address === escrowAddress && ahead.walletAddress === signer) {
      // The newest of another node says nothing about this one's.
      if (ahead.sent_id === null || ahead.sent_node_id === nodeId) return peeked(ahead);
    }
    const [row] = await transactions.lookUp<PeekRow>(PEEK, [escrowAddress, signer, kind, nodeId, now]);
    return row ? peeked(row) : { nonce: 0n, sent: null };
  }

  /**
   * Gives out the next nonce that is at least `atLeast`. Callers for the same wallet and escrow wait for each other
   * from here to the end of their transactions, so call it last.
   */
  async next(manager: EntityManager, escrowAddress: string, walletAddress: string, atLeast = 0n): Promise<bigint> {
    const { values } = this.taking(escrowAddress, walletAddress, atLeast);
    return this.takenIn(await runPrepared<NonceRow>(manager, NEXT, values));
  }

  /** The statement of `next`, to be sent with others; `takenIn` reads its rows. */
  taking(escrowAddress: string, walletAddress: string, atLeast: bigint): BoundStatement {
    return { ...NEXT, values: [escrowAddress, walletAddress, atLeast.toString()] };
  }

  /** The nonce that was given out in the rows of `taking`. */
  takenIn(rows: readonly object[]): bigint {
    const [row] = rows as readonly NonceRow[];
    if (!row) throw new Error('A nonce was asked for and none was given out');
    return BigInt(row.nonce);
  }
}

function peeked({ nonce, sent_id: id, sent_nonce: sentNonce }: PeekRow): { nonce: bigint; sent: SentAction | null } {
  return {
    nonce: BigInt(nonce),
    sent: id === null || sentNonce === null ? null : { id, nonce: BigInt(sentNonce) },
  };
}

import { Injectable } from '@nestjs/common';
import { checksumAddress } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { type PreparedStatement, runPrepared, Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { returnsBelow } from '../escrow/node-fates.sql.js';
import { workedNodes } from './worked-nodes.sql.js';

/** Which of the account's nodes; absent: all of them. */
export interface WorkedScope {
  readonly taskId?: string;
  readonly nodeId?: string;
}

/** A node whose worker can take its share out. Addresses are EIP-55. */
export interface ClaimableNode {
  readonly id: string;
  readonly taskId: string;
  readonly number: number;
  readonly workerWallet: Hex;
  readonly escrowAddress: Hex;
}

/** Where there is most to take out, and what is to come. */
export interface WorkedStanding {
  /** Null when nothing can be taken out now. */
  readonly node: ClaimableNode | null;
  /** Base units whose fate is still open. */
  readonly pending: bigint;
  /** Unix seconds of the next moment at which time decides about some of that; null when only others decide. */
  readonly nextDue: number | null;
}

interface WorkedRow {
  id: string;
  task_id: string;
  number: number;
  worker_wallet: string;
  escrow_address: string;
  fate: string;
  share: string;
  pending: string | null;
  next_due: Date | null;
}

/** $1 account, $2 now, $3 task or null, $4 node or null. Trees with most to take first, then their nodes with most. */
const RICHEST: PreparedStatement = {
  name: 'worked-nodes-richest',
  text: `WITH RECURSIVE ${workedNodes('$1', '$2')}, claims AS (
        SELECT *, CASE WHEN fate = 'claimable' THEN share ELSE 0 END AS claimable FROM worked
        WHERE ($3::text IS NULL OR task_id = $3) AND ($4::text IS NULL OR id = $4)
      )
      SELECT claims.id, claims.task_id, claims.number, claims.worker_wallet, task.escrow_address, claims.fate, claims.share,
        sum(claims.share) FILTER (WHERE claims.fate = 'pending') OVER () AS pending,
        min(claims.clock) FILTER (WHERE claims.fate = 'pending' AND NOT claims.lapsed AND claims.state <> 'released')
          OVER () AS next_due
      FROM claims JOIN tasks task ON task.id = claims.task_id
      ORDER BY sum(claims.claimable) OVER (PARTITION BY claims.task_id) DESC, claims.task_id DESC,
        claims.claimable DESC, claims.number
      LIMIT 1`,
};

/** $1 task, $2 node, $3 now. */
const RETURNS: PreparedStatement = {
  name: 'worked-nodes-returns',
  text: `SELECT below.number FROM escrow_nodes below WHERE ${returnsBelow('$1', '$2', '$3')} ORDER BY below.number`,
};

/** The nodes that an account works on, for taking money out of them. */
@Injectable()
export class WorkedNodes {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** As the indexed chain has it, with time applied as the contract applies it; null when the account works on none. */
  async standing(accountId: string, { taskId, nodeId }: WorkedScope): Promise<WorkedStanding | null> {
    const now = new Date(this.clock.nowSeconds() * 1000);
    const values = [accountId, now, taskId ?? null, nodeId ?? null];
    const [row] = await runPrepared<WorkedRow>(this.transactions.manager, RICHEST, values);
    if (!row) return null;
    return {
      node: row.fate === 'claimable' && BigInt(row.share) > 0n ? nodeOf(row) : null,
      pending: BigInt(row.pending ?? 0),
      nextDue: row.next_due === null ? null : row.next_due.getTime() / 1000,
    };
  }

  /**
   * Numbers of the nodes below that live on the node's money and of which time has sent some back, as the indexed chain
   * has it: that money is part of the node's share, and can be taken out once it is written down.
   */
  async returnsTo({ id, taskId }: ClaimableNode): Promise<number[]> {
    const values = [taskId, id, new Date(this.clock.nowSeconds() * 1000)];
    const rows = await runPrepared<{ number: number }>(this.transactions.manager, RETURNS, values);
    return rows.map(({ number }) => number);
  }
}

function nodeOf(row: WorkedRow): ClaimableNode {
  return {
    id: row.id,
    taskId: row.task_id,
    number: row.number,
    workerWallet: checksumAddress(row.worker_wallet),
    escrowAddress: checksumAddress(row.escrow_address),
  };
}

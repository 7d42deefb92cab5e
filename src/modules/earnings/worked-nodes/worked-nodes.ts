import { Injectable } from '@nestjs/common';
import { checksumAddress } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { returnsBelow } from '../../escrow/node/node-ancestors.sql.js';
import { keptOf, shiftedByTime, worthOf } from './worked-nodes.sql.js';

/** Selects nodes of an account; without members, all of them. */
export interface WorkedScope {
  readonly taskId?: string;
  /** Only together with `taskId`. */
  readonly nodeId?: string;
}

/** A node whose worker can withdraw its share. Addresses are EIP-55. */
export interface ClaimableNode {
  readonly id: string;
  readonly taskId: string;
  readonly number: number;
  readonly workerWallet: Hex;
  readonly escrowAddress: Hex;
}

/** The node with the most to withdraw, and what is still pending. */
export interface WorkedStanding {
  /** Null when nothing can be withdrawn now. */
  readonly node: ClaimableNode | null;
  /** Base units that are still pending. */
  readonly pending: bigint;
  /**
   * Unix seconds of the next time limit that decides about pending money; null when no time limit does, or when
   * something can be withdrawn now.
   */
  readonly nextDue: number | null;
}

interface NodeRow {
  id: string;
  task_id: string;
  number: number;
  worker_wallet: string;
  escrow_address: string;
}

/** The node's columns are null when nothing can be withdrawn. */
type WorkedRow = { [Column in keyof NodeRow]: NodeRow[Column] | null } & {
  pending: string | null;
  next_due: Date | null;
};

/** Columns of `NodeRow`. */
const ANSWER = `node.id, node.task_id, node.number, node.worker_wallet, task.escrow_address`;

/**
 * $1 account, $2 now. Finds the tree with the most to withdraw, and in it the node with the most. Reads stored sums
 * from the ends of indexes; only the few nodes whose time limits have passed since are computed.
 */
export const RICHEST: PreparedStatement = {
  name: 'worked-nodes-richest',
  text: `WITH RECURSIVE ${shiftedByTime('$1', '$2')}, tree AS MATERIALIZED (
        SELECT task_id FROM (
          (
            SELECT task_id, claimable FROM task_earnings
            WHERE account_id = $1 AND claimable > 0 AND task_id NOT IN (SELECT task_id FROM shift)
            ORDER BY claimable DESC, task_id DESC LIMIT 1
          )
          UNION ALL
          SELECT task_id, claimable + ${keptOf('claimable')} FROM shift
        ) AS candidate
        WHERE claimable > 0 ORDER BY claimable DESC, task_id DESC LIMIT 1
      ), richest AS MATERIALIZED (
        SELECT node_id FROM (
          (
            SELECT node_id, number, claimable FROM node_earnings
            WHERE account_id = $1 AND task_id = (SELECT task_id FROM tree) AND claimable > 0
              AND (next_at < $2::timestamptz) IS NOT TRUE
            ORDER BY claimable DESC, number LIMIT 1
          )
          UNION ALL
          SELECT node_id, number, claimable FROM live WHERE task_id = (SELECT task_id FROM tree) AND claimable > 0
        ) AS candidate
        ORDER BY claimable DESC, number LIMIT 1
      )
      SELECT ${ANSWER}, sums.pending + (SELECT coalesce(sum(pending), 0) FROM shift) AS pending,
        CASE WHEN node.id IS NULL THEN least((
            SELECT clock FROM node_earnings
            WHERE account_id = $1 AND clock >= $2::timestamptz AND (next_at < $2::timestamptz) IS NOT TRUE
            ORDER BY clock LIMIT 1
          ), (SELECT min(clock) FROM live)) END AS next_due
      FROM account_earnings sums
      LEFT JOIN escrow_nodes node ON node.id = (SELECT node_id FROM richest)
      LEFT JOIN tasks task ON task.id = node.task_id
      WHERE sums.account_id = $1`,
};

/**
 * $1 account, $2 now, $3 task, $4 node or null. Finds the node of one task with the most to withdraw, and what is
 * pending.
 */
export const RICHEST_OF_TASK: PreparedStatement = {
  name: 'worked-nodes-richest-of-task',
  text: `WITH RECURSIVE ${worthOf(
    `SELECT * FROM escrow_nodes WHERE task_id = $3 AND worker_account_id = $1 AND ($4::text IS NULL OR id = $4)`,
    '$2',
  )}, claims AS (
        SELECT id, task_id, number, worker_wallet, fate, lapsed, state, clock, share,
          CASE WHEN fate = 'claimable' THEN share ELSE 0 END AS claimable
        FROM worked
      ), richest AS (
        SELECT * FROM claims WHERE claimable > 0 ORDER BY claimable DESC, number LIMIT 1
      )
      SELECT ${ANSWER}, total.pending, CASE WHEN node.id IS NULL THEN total.next_due END AS next_due
      FROM (
        SELECT count(*) AS nodes, sum(share) FILTER (WHERE fate = 'pending') AS pending,
          min(clock) FILTER (WHERE fate = 'pending' AND NOT lapsed AND state <> 'released') AS next_due
        FROM claims
      ) AS total
      LEFT JOIN richest node ON true LEFT JOIN tasks task ON task.id = node.task_id
      WHERE nodes > 0`,
};

/** $1 task, $2 node, $3 now. */
const RETURNS: PreparedStatement = {
  name: 'worked-nodes-returns',
  text: `SELECT below.number FROM escrow_nodes below WHERE ${returnsBelow('$1', '$2', '$3')} ORDER BY below.number`,
};

/** Finds the nodes that an account works on, for withdrawing their earnings. */
@Injectable()
export class WorkedNodes {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the state by the indexed chain, with time limits applied as in the contract; null when the account works on
   * no node of the scope.
   */
  async standing(accountId: string, { taskId, nodeId }: WorkedScope): Promise<WorkedStanding | null> {
    const now = new Date(this.clock.nowSeconds() * 1000);
    const [row] = await (taskId === undefined
      ? runPrepared<WorkedRow>(this.transactions.manager, RICHEST, [accountId, now])
      : runPrepared<WorkedRow>(this.transactions.manager, RICHEST_OF_TASK, [accountId, now, taskId, nodeId ?? null]));
    if (!row) return null;
    return {
      node: isNode(row) ? nodeOf(row) : null,
      pending: BigInt(row.pending ?? 0),
      nextDue: row.next_due === null ? null : row.next_due.getTime() / 1000,
    };
  }

  /**
   * Numbers of the child nodes paid from this node's money whose passed time limit has sent money back to it. That
   * money belongs to the node's share, and can be withdrawn once those nodes are finalized on the chain.
   */
  async returnsTo({ id, taskId }: ClaimableNode): Promise<number[]> {
    const values = [taskId, id, new Date(this.clock.nowSeconds() * 1000)];
    const rows = await runPrepared<{ number: number }>(this.transactions.manager, RETURNS, values);
    return rows.map(({ number }) => number);
  }
}

function isNode(row: WorkedRow): row is WorkedRow & NodeRow {
  return row.id !== null;
}

function nodeOf(row: NodeRow): ClaimableNode {
  return {
    id: row.id,
    taskId: row.task_id,
    number: row.number,
    workerWallet: checksumAddress(row.worker_wallet),
    escrowAddress: checksumAddress(row.escrow_address),
  };
}

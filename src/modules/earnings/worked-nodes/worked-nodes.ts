import { Injectable } from '@nestjs/common';
import { checksumAddress } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { storedPath } from '../../../platform/database/columns/node-path.column.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { type NodeRow, RETURNS, RICHEST, RICHEST_OF_TASK, type WorkedRow } from './worked-nodes.sql.js';

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
  readonly path: bigint;
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
  async standing(accountId: string, scope: WorkedScope): Promise<WorkedStanding | null> {
    const [row] = await this.richest(accountId, scope);
    if (!row) return null;
    return {
      node: isNode(row) ? nodeOf(row) : null,
      pending: BigInt(row.pending ?? 0),
      nextDue: row.next_due === null ? null : row.next_due.getTime() / 1000,
    };
  }

  private richest(accountId: string, { taskId, nodeId }: WorkedScope): Promise<WorkedRow[]> {
    const now = this.clock.thisSecond();
    if (taskId === undefined) return this.transactions.lookUp<WorkedRow>(RICHEST, [accountId, now]);
    const values = [accountId, now, taskId, nodeId ?? null];
    if (nodeId !== undefined) return this.transactions.lookUp<WorkedRow>(RICHEST_OF_TASK, values);
    // All nodes of the tree are weighed, which may take longer than a look-up: 50,000 of them 0.65 s.
    return runPrepared<WorkedRow>(this.transactions.manager, RICHEST_OF_TASK, values);
  }

  /**
   * Paths of the child nodes paid from this node's money whose passed time limit has sent money back to it, those that
   * send the most first. That money belongs to the node's share, and can be withdrawn or promised again once those nodes
   * are finalized on the chain.
   */
  async returnsTo({ id, taskId }: Pick<ClaimableNode, 'id' | 'taskId'>): Promise<bigint[]> {
    const values = [taskId, id, this.clock.thisSecond()];
    const rows = await runPrepared<{ path: string }>(this.transactions.manager, RETURNS, values);
    return rows.map(({ path }) => storedPath(path));
  }
}

function isNode(row: WorkedRow): row is WorkedRow & NodeRow {
  return row.id !== null;
}

function nodeOf(row: NodeRow): ClaimableNode {
  return {
    id: row.id,
    taskId: row.task_id,
    path: storedPath(row.path),
    workerWallet: checksumAddress(row.worker_wallet),
    escrowAddress: checksumAddress(row.escrow_address),
  };
}

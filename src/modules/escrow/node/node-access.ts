import { Injectable } from '@nestjs/common';
import type { WireNodeState } from '#libs/contracts';
import { Transactions } from '../../../platform/database/transactions.js';
import { storedPath } from '../../../platform/database/columns/node-path.column.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { NODE_OF_TASK } from './node-access.sql.js';

/** The facts of a node that an action on it needs, as the indexed chain has them. */
export interface AccessibleNode {
  readonly path: bigint;
  /** Transitions so far, which the nonce of every action about the node names. */
  readonly version: number;
  /** Null while the worker's wallet belongs to no account. */
  readonly workerAccountId: string | null;
  readonly workerWallet: string;
  readonly state: WireNodeState;
  /** The part of the node's pool that is promised to live children, in base units. */
  readonly allocated: bigint;
  /** The escrow of the node's tree. */
  readonly escrowAddress: string;
}

type NodeRow = { escrow_address: string } & (
  | { path: null }
  | {
      path: string;
      version: number;
      worker_account_id: string | null;
      worker_wallet: string;
      state: WireNodeState;
      allocated: string;
    }
);

/** Finds a node and its task in one statement, for every action on a node. */
@Injectable()
export class NodeAccess {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The node as the indexed chain has it.
   * @throws ApiError `not_found`, first for the task, then for the node. The error is the same whether it does not
   *   exist, belongs to another task, or is invisible to the account.
   */
  async find(accountId: string, taskId: string, nodeId: string): Promise<AccessibleNode> {
    const [row] = await this.transactions.lookUp<NodeRow>(NODE_OF_TASK, [taskId, nodeId, accountId]);
    if (!row) throw new ApiError('not_found', 'There is no such task.');
    if (row.path === null) throw new ApiError('not_found', 'There is no such node.');
    return {
      path: storedPath(row.path),
      version: row.version,
      workerAccountId: row.worker_account_id,
      workerWallet: row.worker_wallet,
      state: row.state,
      allocated: BigInt(row.allocated),
      escrowAddress: row.escrow_address,
    };
  }
}

import { Injectable } from '@nestjs/common';
import { checksumAddress, type WireNodeState } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import { type PreparedStatement, Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { storedPath } from '../../../platform/database/columns/node-path.column.js';
import { DECIDING_ROOT, STANDING_NODE, WORKED_ON } from './node-standing.sql.js';
import type { ActionFacts } from './node-outlook.js';

/** A node with all facts that decide who may act on it now, as the indexed chain has them. */
export interface StandingNode {
  readonly id: string;
  readonly taskId: string;
  readonly path: bigint;
  /** Transitions so far, which the nonce of every action about the node names. */
  readonly version: number;
  /** Null for a root node. */
  readonly parentNodeId: string | null;
  /** Null while the hiring wallet belongs to no account. */
  readonly hirerAccountId: string | null;
  /** EIP-55. */
  readonly hirerWallet: Hex;
  /** Null while the worker's wallet belongs to no account. */
  readonly workerAccountId: string | null;
  /** EIP-55. */
  readonly workerWallet: Hex;
  /** The escrow of the node's tree, EIP-55. */
  readonly escrowAddress: Hex;
  /** Artifact hash of the newest delivery; null before the first. */
  readonly artifactHash: Hex | null;
  /** Facts of the node; `backers` is computed for the present moment. */
  readonly facts: ActionFacts;
}

/** A root node of a task. */
export interface RootNode {
  readonly buyerAccountId: string;
  readonly node: StandingNode;
}

/** The root node that decides about a task. */
export interface DecidingRoot extends Pick<RootNode, 'buyerAccountId'> {
  /** Null while no root node was funded, or when the account may not see it. */
  readonly node: StandingNode | null;
}

interface TaskColumns {
  buyer_account_id: string;
  escrow_address: string;
  arbiter_wallet: string;
}

type NodeRow = TaskColumns &
  (
    | { id: null }
    | {
        id: string;
        path: string;
        version: number;
        parent_node_id: string | null;
        hirer_account_id: string | null;
        hirer_wallet: string;
        worker_account_id: string | null;
        worker_wallet: string;
        pool: string;
        allocated: string;
        floor: string;
        withdrawn: string;
        pay_out: boolean;
        revisions: number;
        max_revisions: number;
        state: WireNodeState;
        hirer_funded: boolean;
        delivery_deadline: Date;
        clock: Date;
        artifact_hash: string | null;
        backers: ActionFacts['backers'];
        returned: string;
        level: number;
      }
  );

const NO_ARBITER = `0x${'0'.repeat(40)}`;
/** Finds nodes for actions that depend on the whole tree above a node: reviewing, delivering, contesting, claiming. */
@Injectable()
export class NodeAuthority {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds one node.
   * @throws ApiError `not_found`, first for the task, then for the node. The error is the same whether it does not
   *   exist, belongs to another task, or is invisible to the account.
   */
  async find(accountId: string, taskId: string, nodeId: string): Promise<StandingNode> {
    const [node] = nodesOf(taskId, await this.rows(STANDING_NODE, accountId, taskId, [nodeId]));
    if (!node) throw noSuchNode();
    return node;
  }

  /**
   * The buyer and one root node of a task.
   * @throws ApiError `not_found` as `find`, also for a node that is no root.
   */
  async rootNode(accountId: string, taskId: string, nodeId: string): Promise<RootNode> {
    const rows = await this.rows(STANDING_NODE, accountId, taskId, [nodeId]);
    const [node] = nodesOf(taskId, rows);
    if (node?.parentNodeId !== null) throw noSuchNode();
    return { buyerAccountId: rows[0].buyer_account_id, node };
  }

  /**
   * The buyer and the deciding root node of a task.
   * @throws ApiError `not_found` for a task that the account may not see.
   */
  async decidingRoot(accountId: string, taskId: string): Promise<DecidingRoot> {
    const rows = await this.rows(DECIDING_ROOT, accountId, taskId);
    const [node = null] = nodesOf(taskId, rows);
    return { buyerAccountId: rows[0].buyer_account_id, node };
  }

  /**
   * Every node of the task that the account works on, in no order.
   * @throws ApiError `not_found` for a task that the account may not see.
   */
  async workedOn(accountId: string, taskId: string): Promise<StandingNode[]> {
    return nodesOf(taskId, await this.rows(WORKED_ON, accountId, taskId));
  }

  /** Runs a statement of node-standing.sql.ts. Resolves to at least one row; its `id` is null when there is no node. */
  private async rows(
    statement: PreparedStatement,
    accountId: string,
    taskId: string,
    more: readonly string[] = [],
  ): Promise<[NodeRow, ...NodeRow[]]> {
    const values = [taskId, accountId, this.clock.thisSecond(), ...more];
    const [first, ...rest] = await this.transactions.lookUp<NodeRow>(statement, values);
    if (!first) throw new ApiError('not_found', 'There is no such task.');
    return [first, ...rest];
  }
}

function noSuchNode(): ApiError {
  return new ApiError('not_found', 'There is no such node.');
}

function nodesOf(taskId: string, rows: readonly NodeRow[]): StandingNode[] {
  return rows.flatMap((row) => (row.id === null ? [] : [nodeOf(taskId, row)]));
}

function nodeOf(taskId: string, row: Exclude<NodeRow, { id: null }>): StandingNode {
  const { artifact_hash: artifactHash } = row;
  return {
    id: row.id,
    taskId,
    path: storedPath(row.path),
    version: row.version,
    parentNodeId: row.parent_node_id,
    hirerAccountId: row.hirer_account_id,
    hirerWallet: checksumAddress(row.hirer_wallet),
    workerAccountId: row.worker_account_id,
    workerWallet: checksumAddress(row.worker_wallet),
    escrowAddress: checksumAddress(row.escrow_address),
    artifactHash: artifactHash !== null && isHex(artifactHash) ? artifactHash : null,
    facts: {
      state: row.state,
      clock: row.clock.getTime() / 1000,
      deliverBy: row.delivery_deadline.getTime() / 1000,
      pool: BigInt(row.pool),
      allocated: BigInt(row.allocated),
      floor: BigInt(row.floor),
      withdrawn: BigInt(row.withdrawn),
      payOut: row.pay_out,
      revisions: row.revisions,
      maxRevisions: row.max_revisions,
      returned: BigInt(row.returned),
      isRoot: row.parent_node_id === null,
      hirerFunded: row.hirer_funded,
      hasArbiter: row.arbiter_wallet !== NO_ARBITER,
      backers: row.backers,
      level: row.level,
    },
  };
}

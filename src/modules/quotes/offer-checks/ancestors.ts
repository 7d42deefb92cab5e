import type { EntityManager } from 'typeorm';
import type { WireNodeState } from '#libs/contracts';

/** Facts of a node above that an offer for a child depends on. */
export interface Ancestor {
  number: number;
  state: WireNodeState;
  /** End of the state's time limit: the last moment of the right that belongs to the state. */
  clock: Date;
  deliveryDeadline: Date;
  /** Base units that are not allocated to other children. */
  unallocated: bigint;
  /** True when the node's money does not come from the node above it. */
  hirerFunded: boolean;
  workerAgentId: string;
  /** Null when the worker's wallet belongs to no account. */
  workerAccountId: string | null;
  workerWallet: string;
}

interface AncestorRow {
  number: number;
  state: WireNodeState;
  clock: Date;
  delivery_deadline: Date;
  unallocated: string;
  hirer_funded: boolean;
  worker_agent_id: string;
  worker_account_id: string | null;
  worker_wallet: string;
}

/** Levels of the deepest tree. rule: docs/decisions/interface.md#fields-and-ranges */
export const MAX_LEVELS = 8;

/**
 * Returns the node that a bidder would work under, its parent, and so on up to the root; empty when there is no such
 * node. Anyone who may see the task may bid for its nodes without being allowed to see the nodes, so nothing of these
 * rows may reach the bidder but a refusal. The quotes module may not import escrow, which resolves its workers from
 * quotes, so the rows are read by SQL.
 */
export async function ancestorsFrom(manager: EntityManager, taskId: string, nodeNumber: number): Promise<Ancestor[]> {
  const rows = await manager.query<AncestorRow[]>(
    `WITH RECURSIVE line AS (
       SELECT node.*, 1 AS level FROM escrow_nodes node WHERE node.task_id = $1 AND node.number = $2
       UNION ALL
       SELECT above.*, line.level + 1 FROM line
       JOIN escrow_nodes above ON above.id = line.parent_node_id WHERE line.level < ${MAX_LEVELS}
     )
     SELECT number, state, clock, delivery_deadline, pool - allocated AS unallocated, hirer_funded,
            worker_agent_id, worker_account_id, worker_wallet
     FROM line ORDER BY level`,
    [taskId, nodeNumber],
  );
  return rows.map((row) => ({
    number: row.number,
    state: row.state,
    clock: row.clock,
    deliveryDeadline: row.delivery_deadline,
    unallocated: BigInt(row.unallocated),
    hirerFunded: row.hirer_funded,
    workerAgentId: row.worker_agent_id,
    workerAccountId: row.worker_account_id,
    workerWallet: row.worker_wallet,
  }));
}

/**
 * The nearest node above `line[0]` that provides its money and whose money has gone back. Then nobody can be hired
 * under `line[0]` (the contract's AncestorClosed). Undefined when there is none.
 */
export function closedBacker(line: readonly Ancestor[], nowMs: number): Ancestor | undefined {
  const independent = line.findIndex(({ hirerFunded }) => hirerFunded);
  const backers = line.slice(1, independent === -1 ? undefined : independent + 1);
  return backers.find(({ state, clock }) => state === 'refunded' || (state === 'rejected' && nowMs > clock.getTime()));
}

import type { EntityManager } from 'typeorm';
import type { WireNodeState } from '#libs/contracts';

/** What a quote for a child has to know of the node it would be hired under. */
export interface ParentNode {
  state: WireNodeState;
  deliveryDeadline: Date;
  /** Base units that are not promised to other children. */
  unallocated: bigint;
  workerAgentId: string;
  /** Null when the worker's wallet belongs to no account. */
  workerAccountId: string | null;
  workerWallet: string;
}

interface ParentRow {
  state: WireNodeState;
  delivery_deadline: Date;
  unallocated: string;
  worker_agent_id: string;
  worker_account_id: string | null;
  worker_wallet: string;
}

/**
 * The node a bidder would work under, or null. Who may see the task may bid for its nodes: a bidder is not yet one of
 * those who see the node itself, and nothing of it but a refusal reaches the bidder. Quotes come before escrow in the order of modules (escrow
 * resolves its workers from quotes), so the row is read here by SQL instead of through the escrow module.
 */
export async function parentNode(
  manager: EntityManager,
  taskId: string,
  nodeNumber: number,
): Promise<ParentNode | null> {
  const [row] = await manager.query<ParentRow[]>(
    `SELECT state, delivery_deadline, pool - allocated AS unallocated,
            worker_agent_id, worker_account_id, worker_wallet
     FROM escrow_nodes WHERE task_id = $1 AND number = $2`,
    [taskId, nodeNumber],
  );
  if (!row) return null;
  return {
    state: row.state,
    deliveryDeadline: row.delivery_deadline,
    unallocated: BigInt(row.unallocated),
    workerAgentId: row.worker_agent_id,
    workerAccountId: row.worker_account_id,
    workerWallet: row.worker_wallet,
  };
}

import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';

/** The facts of a delivered node that its payer may see before it is released. */
export interface DeliveredWork {
  deliveryId: string;
  nodeId: string;
  artifactHash: Hex;
  revision: number;
  deliveredAt: Date;
  workerAgentId: string;
  /** Name of the worker's agent, chosen by its owner; null when the agent is unknown. */
  workerName: string | null;
  /** Account whose custody may hold the artifact; null while the worker's wallet belongs to no account. */
  workerAccountId: string | null;
  nodeState: string;
  /** End of the payer's time to accept or reject; null when there is nothing to decide. */
  reviewUntil: Date | null;
}

interface DeliveredRow {
  delivery_id: string;
  node_id: string;
  artifact_hash: Hex;
  revision: number;
  delivered_at: Date;
  worker_agent_id: string;
  worker_name: string | null;
  worker_account_id: string | null;
  node_state: string;
  review_until: Date | null;
}

interface StandingRow {
  is_party: boolean;
  owns_active_agent: boolean;
}

/** A node's newest delivery, while its money is still in the node or was released for it. */
const DELIVERED = `
  SELECT d.id AS delivery_id, d.node_id, d.artifact_hash, d.revision, d.created_at AS delivered_at,
         n.worker_agent_id, worker.name AS worker_name, d.worker_account_id, n.state AS node_state,
         CASE WHEN n.state = 'delivered' THEN n.clock END AS review_until
    FROM deliveries d JOIN escrow_nodes n ON n.id = d.node_id
    LEFT JOIN agents worker ON worker.id = n.worker_agent_id
   WHERE d.task_id = $1 AND d.payer_account_id = $2 AND n.artifact_hash = d.artifact_hash
     AND n.state IN ('delivered', 'rejected', 'disputed', 'released')`;

/**
 * Reads the facts that decide about a preview. Previews may not import the modules of nodes and agents
 * (docs/architecture.md#imports), so these facts are read by SQL.
 */
@Injectable()
export class PreviewFacts {
  constructor(private readonly transactions: Transactions) {}

  /** The delivery that the account should see first: one that waits for its answer, otherwise the newest. */
  async newestFor(accountId: string, taskId: string): Promise<DeliveredWork | null> {
    const rows: DeliveredRow[] = await this.transactions.manager.query(
      `${DELIVERED} ORDER BY (n.state = 'delivered') DESC, d.created_at DESC, d.id DESC LIMIT 1`,
      [taskId, accountId],
    );
    return workOf(rows);
  }

  /** One delivery; null unless the account pays for it. */
  async deliveryFor(accountId: string, taskId: string, deliveryId: string): Promise<DeliveredWork | null> {
    const rows: DeliveredRow[] = await this.transactions.manager.query(`${DELIVERED} AND d.id = $3`, [
      taskId,
      accountId,
      deliveryId,
    ]);
    return workOf(rows);
  }

  /** A node's delivery of this artifact; null unless the account pays for it and it has not been replaced. */
  async deliveryOf(
    accountId: string,
    { taskId, nodeId, artifactHash }: { taskId: string; nodeId: string; artifactHash: Hex },
  ): Promise<DeliveredWork | null> {
    const rows: DeliveredRow[] = await this.transactions.manager.query(
      `${DELIVERED} AND d.node_id = $3 AND d.artifact_hash = $4 ORDER BY d.created_at DESC, d.id DESC LIMIT 1`,
      [taskId, accountId, nodeId, artifactHash],
    );
    return workOf(rows);
  }

  /** The account's other relations to the task: as a party, and as owner of an active agent. */
  async standingOf(accountId: string, taskId: string): Promise<{ isParty: boolean; ownsActiveAgent: boolean }> {
    const rows: StandingRow[] = await this.transactions.manager.query(
      `SELECT EXISTS (SELECT 1 FROM task_parties
                       WHERE account_id = $1 AND task_id = $2 AND role <> 'buyer') AS is_party,
              EXISTS (SELECT 1 FROM agents WHERE account_id = $1 AND status = 'active') AS owns_active_agent`,
      [accountId, taskId],
    );
    return { isParty: rows[0]?.is_party === true, ownsActiveAgent: rows[0]?.owns_active_agent === true };
  }
}

function workOf([row]: readonly DeliveredRow[]): DeliveredWork | null {
  if (!row) return null;
  return {
    deliveryId: row.delivery_id,
    nodeId: row.node_id,
    artifactHash: row.artifact_hash,
    revision: row.revision,
    deliveredAt: row.delivered_at,
    workerAgentId: row.worker_agent_id,
    workerName: row.worker_name,
    workerAccountId: row.worker_account_id,
    nodeState: row.node_state,
    reviewUntil: row.review_until,
  };
}

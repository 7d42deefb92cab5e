import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import {
  type DeliveredRow,
  DELIVERY_BY_ID,
  DELIVERY_OF_ARTIFACT,
  NEWEST_DELIVERY,
  STANDING,
  type StandingRow,
} from './preview-facts.sql.js';

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

/**
 * Reads the facts that decide about a preview. Previews may not import the modules of nodes and agents
 * (docs/architecture.md#imports), so these facts are read by SQL.
 */
@Injectable()
export class PreviewFacts {
  constructor(private readonly transactions: Transactions) {}

  /** The delivery that the account should see first: one that waits for its answer, otherwise the newest. */
  async newestFor(accountId: string, taskId: string): Promise<DeliveredWork | null> {
    const rows: DeliveredRow[] = await this.transactions.manager.query(NEWEST_DELIVERY, [taskId, accountId]);
    return workOf(rows);
  }

  /** One delivery; null unless the account pays for it. */
  async deliveryFor(accountId: string, taskId: string, deliveryId: string): Promise<DeliveredWork | null> {
    const rows: DeliveredRow[] = await this.transactions.manager.query(DELIVERY_BY_ID, [taskId, accountId, deliveryId]);
    return workOf(rows);
  }

  /** A node's delivery of this artifact; null unless the account pays for it and it has not been replaced. */
  async deliveryOf(
    accountId: string,
    { taskId, nodeId, artifactHash }: { taskId: string; nodeId: string; artifactHash: Hex },
  ): Promise<DeliveredWork | null> {
    const rows: DeliveredRow[] = await this.transactions.manager.query(DELIVERY_OF_ARTIFACT, [
      taskId,
      accountId,
      nodeId,
      artifactHash,
    ]);
    return workOf(rows);
  }

  /** The account's other relations to the task: as a party, and as owner of an active agent. */
  async standingOf(accountId: string, taskId: string): Promise<{ isParty: boolean; ownsActiveAgent: boolean }> {
    const rows: StandingRow[] = await this.transactions.manager.query(STANDING, [accountId, taskId]);
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

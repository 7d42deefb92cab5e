import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TreeNode } from '#libs/contracts';

/** Who is behind the worker's wallet of a node. */
export interface Worker {
  /** Null when no agent is known for the wallet. */
  agentId: string | null;
  /** Null when the wallet belongs to nobody known. */
  accountId: string | null;
}

/**
 * The agent whose signed quote was taken up is the worker. Where no quote is known (the terms were signed elsewhere), it
 * is the oldest agent with that wallet of the account that the wallet belongs to: which wallet an agent names is a claim
 * that only a signature or a linked wallet proves. An account may also work without an agent.
 *
 * `quotes` is read here by its table, although its module stands above this one: the answer must come from the
 * transaction of the block, a port filled in from above would be the same upward dependency with a detour, and the
 * three columns read are those of the unique key and the foreign key.
 */
const RESOLVE = `
  SELECT node.number, agent.id AS agent_id, coalesce(agent.account_id, holder.id) AS account_id
  FROM unnest($2::integer[], $3::text[]) AS node (number, wallet)
  LEFT JOIN LATERAL (
    SELECT account_id AS id FROM account_wallets WHERE address = node.wallet
    UNION ALL
    SELECT id FROM accounts WHERE wallet_address = node.wallet
    LIMIT 1
  ) holder ON true
  LEFT JOIN quotes quote
    ON quote.task_id = $1 AND quote.node_number = node.number AND quote.worker_wallet = node.wallet
    AND quote.signature IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT id, account_id FROM agents
    WHERE CASE WHEN quote.agent_id IS NULL THEN wallet_address = node.wallet AND account_id = holder.id
               ELSE id = quote.agent_id END
    ORDER BY id LIMIT 1
  ) agent ON true`;

interface Row {
  number: number;
  agent_id: string | null;
  account_id: string | null;
}

/** Finds the agents and accounts behind the wallets of a tree. */
@Injectable()
export class Participants {
  /** The worker of every node, by node number. */
  async workersOf(
    manager: EntityManager,
    taskId: string,
    nodes: readonly Pick<TreeNode, 'number' | 'worker'>[],
  ): Promise<Map<number, Worker>> {
    if (nodes.length === 0) return new Map();
    const numbers = nodes.map(({ number }) => number);
    const wallets = nodes.map(({ worker }) => worker);
    const rows = await manager.query<Row[]>(RESOLVE, [taskId, numbers, wallets]);
    return new Map(rows.map((row) => [row.number, { agentId: row.agent_id, accountId: row.account_id }]));
  }
}

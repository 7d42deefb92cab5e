import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TreeNode } from '#libs/contracts';

/** Who is behind the worker's wallet of a node. */
export interface Worker {
  /** Null when no agent is known for the wallet. */
  agentId: string | null;
  /** Null when the wallet belongs to nobody known. */
  accountId: string | null;
  /** Until when the offer for the node stands; null when none is known. */
  offerUntil: Date | null;
}

/** A node whose worker is looked for. */
type Employed = Pick<TreeNode, 'number' | 'worker'> & { readonly taskId: string };

/** Nodes that are looked up in one statement. */
const NODES_AT_ONCE = 2_000;

/**
 * Finds the agent and the account that work on nodes. The worker is the agent whose signed quote was taken up. Where no
 * quote is known (the terms were signed elsewhere), it is the oldest agent that names the worker's wallet and belongs to
 * the account of that wallet: the wallet that an agent names is a claim, which only a signature or a linked wallet proves.
 * An account may also work without an agent.
 *
 * The table of quotes is read directly, because the answer must come from the transaction of the block, for all nodes in
 * one statement. The oldest agent is found by an aggregate, because a limit would tempt the planner to walk all agents
 * from the oldest on.
 */
const RESOLVE = `
  SELECT node.task_id, node.number, coalesce(quoted.id, own.id) AS agent_id,
    coalesce(quoted.account_id, holder.id) AS account_id, quote.valid_until AS offer_until
  FROM unnest($1::text[], $2::integer[], $3::text[]) AS node (task_id, number, wallet)
  LEFT JOIN LATERAL (
    SELECT account_id AS id FROM account_wallets WHERE address = node.wallet
    UNION ALL
    SELECT id FROM accounts WHERE wallet_address = node.wallet
    LIMIT 1
  ) holder ON true
  LEFT JOIN quotes quote
    ON quote.task_id = node.task_id AND quote.node_number = node.number AND quote.worker_wallet = node.wallet
  LEFT JOIN agents quoted ON quoted.id = quote.agent_id AND quote.signature IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT (array_agg(agent.id ORDER BY agent.id))[1] AS id FROM agents agent
    WHERE quote.signature IS NULL AND agent.wallet_address = node.wallet AND agent.account_id = holder.id
  ) own ON true`;

interface Row {
  task_id: string;
  number: number;
  agent_id: string | null;
  account_id: string | null;
  offer_until: Date | null;
}

/** Finds the agents and accounts behind the wallets of trees. */
@Injectable()
export class Participants {
  /** The worker of every node, by task and node number. */
  async workersOf(manager: EntityManager, nodes: readonly Employed[]): Promise<Map<string, Map<number, Worker>>> {
    const workers = new Map<string, Map<number, Worker>>();
    for (let from = 0; from < nodes.length; from += NODES_AT_ONCE) {
      const some = nodes.slice(from, from + NODES_AT_ONCE);
      const rows = await manager.query<Row[]>(RESOLVE, [
        some.map(({ taskId }) => taskId),
        some.map(({ number }) => number),
        some.map(({ worker }) => worker),
      ]);
      for (const row of rows) {
        const own = workers.get(row.task_id) ?? new Map<number, Worker>();
        workers.set(
          row.task_id,
          own.set(row.number, { agentId: row.agent_id, accountId: row.account_id, offerUntil: row.offer_until }),
        );
      }
    }
    return workers;
  }
}

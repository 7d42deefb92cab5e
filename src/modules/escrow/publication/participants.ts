import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TreeNode } from '#libs/contracts';
import { WORKERS } from './participants.sql.js';

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
      const rows = await manager.query<Row[]>(WORKERS, [
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

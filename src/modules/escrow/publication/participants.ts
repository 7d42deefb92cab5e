import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TreeNode } from '#libs/contracts';
import { pathText } from '#libs/kernel';
import { storedPath } from '../../../platform/database/columns/node-path.column.js';
import { WORKERS } from './participants.sql.js';

/** Who is behind the worker's wallet of a node. */
export interface Worker {
  /** Null when no agent is known for the wallet. */
  agentId: string | null;
  /** Null when the wallet belongs to nobody known. */
  accountId: string | null;
}

/** A node whose worker is looked for. */
type Employed = Pick<TreeNode, 'path' | 'worker'> & { readonly taskId: string };

/** Nodes that are looked up in one statement. */
const NODES_AT_ONCE = 2_000;

interface Row {
  task_id: string;
  path: string;
  agent_id: string | null;
  account_id: string | null;
}

/** Finds the agents and accounts behind the wallets of trees. */
@Injectable()
export class Participants {
  /** The worker of every node, by task and path. */
  async workersOf(manager: EntityManager, nodes: readonly Employed[]): Promise<Map<string, Map<bigint, Worker>>> {
    const workers = new Map<string, Map<bigint, Worker>>();
    for (let from = 0; from < nodes.length; from += NODES_AT_ONCE) {
      const some = nodes.slice(from, from + NODES_AT_ONCE);
      const rows = await manager.query<Row[]>(WORKERS, [
        some.map(({ taskId }) => taskId),
        some.map(({ path }) => pathText(path)),
        some.map(({ worker }) => worker),
      ]);
      for (const row of rows) {
        const own = workers.get(row.task_id) ?? new Map<bigint, Worker>();
        workers.set(row.task_id, own.set(storedPath(row.path), { agentId: row.agent_id, accountId: row.account_id }));
      }
    }
    return workers;
  }
}

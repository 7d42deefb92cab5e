import { Injectable } from '@nestjs/common';
import type { WireNodeState } from '#libs/contracts';
import { pathText } from '#libs/kernel';
import { storedPath } from '../../../platform/database/columns/node-path.column.js';
import { type Ancestor, AncestorReader, type AncestorReads } from '../../quotes/offer-checks/ancestors.js';
import { ANCESTORS } from './ancestors.sql.js';

interface AncestorRow {
  path: string;
  state: WireNodeState;
  delivery_deadline: Date;
  unallocated: string;
  hirer_funded: boolean;
  worker_agent_id: string;
  worker_account_id: string | null;
  worker_wallet: string;
}

/**
 * Reads the nodes that an offer would be under. It does not check who may see them: whoever may see the task may bid for
 * its nodes, and learns nothing of the nodes but a refusal.
 */
@Injectable()
export class NodeAncestors extends AncestorReader {
  override async ancestorsFrom(read: AncestorReads, taskId: string, nodePath: bigint, now: Date): Promise<Ancestor[]> {
    const rows = await read<AncestorRow>(ANCESTORS, [taskId, pathText(nodePath), now]);
    return rows.map((row) => ({
      path: storedPath(row.path),
      state: row.state,
      deliveryDeadline: row.delivery_deadline,
      unallocated: BigInt(row.unallocated),
      hirerFunded: row.hirer_funded,
      workerAgentId: row.worker_agent_id,
      workerAccountId: row.worker_account_id,
      workerWallet: row.worker_wallet,
    }));
  }
}

import { Injectable } from '@nestjs/common';
import type { WireNodeState } from '#libs/contracts';
import { type Ancestor, AncestorReader, type AncestorReads } from '../../quotes/offer-checks/ancestors.js';
import { ANCESTORS } from './ancestors.sql.js';

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

/**
 * Reads the nodes that an offer would be under. It does not check who may see them: whoever may see the task may bid for
 * its nodes, and learns nothing of the nodes but a refusal.
 */
@Injectable()
export class NodeAncestors extends AncestorReader {
  override async ancestorsFrom(read: AncestorReads, taskId: string, nodeNumber: number): Promise<Ancestor[]> {
    const rows = await read<AncestorRow>(ANCESTORS, [taskId, nodeNumber]);
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
}

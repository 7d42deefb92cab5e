import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { Clock } from '../../platform/time/clock.js';
import { EscrowNodeDto, type EscrowNodeRow } from './dto/escrow-node.dto.js';
import { shownNodes } from './node-list.sql.js';

/** The reader's result type, re-exported for the lists of other modules. */
export { EscrowNodeDto };

/** Names a node: the task it belongs to, and its number in that task's tree. */
export interface NodePlace {
  taskId: string;
  number: number;
}

/**
 * Reads the nodes at places that an account may see: $1 task ids and $2 node numbers (parallel arrays), $3 account, $4
 * now.
 */
export const NODES_AT_PLACES = {
  name: 'nodes_at_places',
  text: `${shownNodes(
    `SELECT node.*, place.position
        FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS place (task_id, number, position)
        JOIN escrow_nodes node ON node.task_id = place.task_id AND node.number = place.number
        WHERE $3 = ANY (node.visible_account_ids)`,
    '$4',
  )} ORDER BY page.position`,
} as const;

/** Reads nodes that a list of another module has found, in the form of a task's own list. */
@Injectable()
export class NodeReader {
  constructor(
    private readonly reads: ReadConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the nodes at these places as the account sees them now, in the same order. Nodes that the account may not
   * see, or that a reorganisation has removed, are left out.
   */
  async read(accountId: string, places: readonly NodePlace[]): Promise<EscrowNodeDto[]> {
    if (places.length === 0) return [];
    const nowSeconds = this.clock.nowSeconds();
    const taskIds = places.map(({ taskId }) => taskId);
    const numbers = places.map(({ number }) => number);
    const values = [taskIds, numbers, accountId, new Date(nowSeconds * 1000).toISOString()];
    const rows = await this.reads.query<EscrowNodeRow>(NODES_AT_PLACES.name, NODES_AT_PLACES.text, values);
    return rows.map((row) => EscrowNodeDto.from(row, accountId, nowSeconds));
  }
}

import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { EscrowNodeDto } from './dto/escrow-node.dto.js';
import { type NodeSelection, shownNodes } from './node-list.sql.js';
import { type ListedNodesRow, listedNodes } from './node/listed-node.sql.js';

/** The reader's result type, re-exported for the lists of other modules. */
export { EscrowNodeDto };

/** How a list of another module finds nodes. */
export interface NodeSearch extends NodeSelection {
  /** Names the statement for good: one name, one text. */
  readonly name: string;
}

/** A node of a list, with the task and the path that place it there. */
export interface FoundNode {
  readonly taskId: string;
  readonly path: string;
  readonly node: EscrowNodeDto;
}

/** Reads the nodes that a list of another module finds, in the form of a task's own list. */
@Injectable()
export class NodeReader {
  constructor(private readonly reads: ReadConnections) {}

  /** Returns the nodes that the search finds by these values, in its order, as the account sees them at that moment. */
  async read(
    search: NodeSearch,
    values: readonly unknown[],
    accountId: string,
    nowSeconds: number,
  ): Promise<FoundNode[]> {
    const rows = await this.reads.query<ListedNodesRow>(search.name, shownNodes(search), values);
    return listedNodes(rows).map((node) => ({
      taskId: node.get('task_id'),
      path: node.get('path'),
      node: EscrowNodeDto.from(node, accountId, nowSeconds),
    }));
  }
}

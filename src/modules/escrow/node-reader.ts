import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/read-connections.js';
import { EscrowNodeDto, type EscrowNodeRow } from './dto/escrow-node.dto.js';
import { shownNodes } from './node-list.sql.js';

/** What the reader answers with, for the lists of other modules. */
export { EscrowNodeDto };

/** How a list of another module finds nodes. */
export interface NodeSearch {
  /** Names the statement for good: one name, one text. */
  readonly name: string;
  /** Selects rows of escrow_nodes, all columns. */
  readonly page: string;
  /** Order of the list, by columns of `page`. */
  readonly order: string;
  /** Placeholder of the moment. */
  readonly now: string;
}

/** A node of a list, and where it stands there. */
export interface FoundNode {
  readonly taskId: string;
  readonly number: string;
  readonly node: EscrowNodeDto;
}

/** The statement of a search, with all that is shown of what it finds. */
export function nodeSearchStatement({ page, order, now }: Omit<NodeSearch, 'name'>): string {
  return `${shownNodes(page, now)} ORDER BY ${order}`;
}

/** Nodes that a list of another module finds, shown as a task's own list shows them. */
@Injectable()
export class NodeReader {
  constructor(private readonly reads: ReadConnections) {}

  /** What the search finds by these values, in its order, as the account sees it at that moment. */
  async read(
    search: NodeSearch,
    values: readonly unknown[],
    accountId: string,
    nowSeconds: number,
  ): Promise<FoundNode[]> {
    const rows = await this.reads.query<EscrowNodeRow>(search.name, nodeSearchStatement(search), values);
    return rows.map((row) => ({
      taskId: row.task_id,
      number: row.number,
      node: EscrowNodeDto.from(row, accountId, nowSeconds),
    }));
  }
}

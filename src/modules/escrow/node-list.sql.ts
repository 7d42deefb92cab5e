import { visibleTask } from '../tasks/visibility/task-visibility.sql.js';
import { LINE_OF_NODE } from './node/listed-node.sql.js';
import { fateJoins, fatesOfPage } from './node/node-ancestors.sql.js';

/**
 * One page of the nodes of a task that an account may see (docs/decisions/interface.md#visibility), each before
 * those below it: $1 task, $2 account, $3 path to start after, $4 now. A task that the account may not see gives no rows.
 */
export function nodeListStatement(rows: number): { name: string; text: string } {
  const page = `SELECT * FROM escrow_nodes
        WHERE task_id = $1 AND $2 = ANY (visible_account_ids) AND path > $3
          AND (SELECT ${visibleTask('task', '$2')} FROM tasks task WHERE task.id = $1)
        ORDER BY path LIMIT ${rows}`;
  return { name: `nodes_${rows}`, text: shownNodes({ page, order: 'page.path', now: '$4' }) };
}

/** Which nodes a list shows. */
export interface NodeSelection {
  /** Selects rows of escrow_nodes, all columns. */
  readonly page: string;
  /** Order of the list, by columns of `page`. */
  readonly order: string;
  /** Placeholder of the moment, castable to timestamptz. */
  readonly now: string;
}

/** The statement of a list of nodes. It gives one row (`ListedNodesRow`). */
export function shownNodes({ page, order, now }: NodeSelection): string {
  return `WITH RECURSIVE page AS (
        ${page}
      ), ${fatesOfPage(now)}
      SELECT string_agg(${LINE_OF_NODE}, E'\\n' ORDER BY ${order}) AS nodes
      FROM page JOIN tasks task ON task.id = page.task_id ${fateJoins(now)}`;
}

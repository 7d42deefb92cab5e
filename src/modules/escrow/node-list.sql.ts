import { utcText } from '../../platform/time/utc-text.sql.js';
import { visibleTask } from '../tasks/visibility/task-visibility.sql.js';
import { FATE_COLUMNS, fateJoins, fatesOfPage } from './node/node-ancestors.sql.js';

const NO_ARBITER = `'0x${'0'.repeat(40)}'`;

/**
 * One page of the nodes of a task that an account may see (docs/decisions/interface.md#visibility), each before
 * those below it: $1 task, $2 account, $3 path to start after, $4 now. A task that the account may not see gives no rows.
 */
export function nodeListStatement(rows: number): { name: string; text: string } {
  const page = `SELECT * FROM escrow_nodes
        WHERE task_id = $1 AND $2 = ANY (visible_account_ids) AND path > $3
          AND (SELECT ${visibleTask('task', '$2')} FROM tasks task WHERE task.id = $1)
        ORDER BY path LIMIT ${rows}`;
  return { name: `nodes_${rows}`, text: `${shownNodes(page, '$4')} ORDER BY page.path` };
}

/**
 * The statement that reads the rows which `EscrowNodeDto.from` shows; an ORDER BY over `page` may follow.
 *
 * @param page selects rows of escrow_nodes, all columns.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function shownNodes(page: string, now: string): string {
  return `WITH RECURSIVE page AS (
        ${page}
      ), ${fatesOfPage(now)}
      SELECT page.id, page.task_id, page.path, page.parent_node_id, page.hirer_agent_id, page.worker_agent_id,
        page.hirer_account_id, page.worker_account_id, page.amount, page.pool, page.allocated, page.floor, page.withdrawn,
        page.state, page.outcome, page.revisions, page.max_revisions, page.pay_out::text AS pay_out,
        page.hirer_funded::text AS hirer_funded, page.accept_window_seconds, page.artifact_hash,
        ${utcText('page.delivery_deadline')} AS delivery_deadline,
        ${utcText('page.clock')} AS clock,
        (task.arbiter_wallet <> ${NO_ARBITER})::text AS has_arbiter,${FATE_COLUMNS}
      FROM page JOIN tasks task ON task.id = page.task_id ${fateJoins(now)}`;
}

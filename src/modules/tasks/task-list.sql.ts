import { listedTask } from './task-visibility.js';

/** Above every task id, in any collation: ids are `task_` and 26 characters, at most 'z'. */
export const AFTER_ALL_TASKS = `task_${'z'.repeat(27)}`;

export type TaskListRole = 'buyer' | 'worker' | undefined;

/** A named statement: $1 account, $2 id to start below, $3 status where filtered. Its answer is one `TaskListRow`. */
export interface TaskListStatement {
  name: string;
  text: string;
}

/** A whole page as text: reading and joining its rows here would cost more than Postgres takes for it. */
export interface TaskListRow {
  /** The documents, separated by commas; null when there are none. */
  documents: string | null;
  /** Id of the last task shown. */
  last: string | null;
  /** `t` when there are more. */
  more: 't' | 'f';
}

/**
 * The statement of one page of tasks, newest first.
 *
 * Two indexed branches, each at most a page and one row long, are merged: what everyone sees and what the caller is a
 * party of. So the cost is that of a page, whatever the share of private tasks and however deep the page. The page
 * size is part of the text (and name): as a parameter it would hide from the planner that so few rows are wanted.
 */
export function taskListStatement(limit: number, role: TaskListRole, byStatus: boolean): TaskListStatement {
  return {
    name: `tasks_${role ?? 'all'}${byStatus ? '_status' : ''}_${limit}`,
    text: `SELECT string_agg(document, ',' ORDER BY id DESC) FILTER (WHERE place <= ${limit}) AS documents,
        min(id) FILTER (WHERE place <= ${limit}) AS last, count(*) > ${limit} AS more
      FROM (SELECT id, document, row_number() OVER (ORDER BY id DESC) AS place
        FROM (${taskPage(limit + 1, role, byStatus)}) page) numbered`,
  };
}

/** The rows of a page, newest first. */
function taskPage(rows: number, role: TaskListRole, byStatus: boolean): string {
  const status = byStatus ? 'AND t.status = $3' : '';
  if (role === 'buyer') {
    return `SELECT t.id, t.document FROM tasks t
        WHERE t.buyer_account_id = $1 AND t.id < $2 ${status} ORDER BY t.id DESC LIMIT ${rows}`;
  }
  const parties = partyBranch(rows, role, byStatus);
  if (role === 'worker') return `${parties} ORDER BY t.id DESC LIMIT ${rows}`;
  return `SELECT DISTINCT ON (id) id, document FROM (
        (SELECT t.id, t.document FROM tasks t
          WHERE ${listedTask('t')} AND t.id < $2 ${status} ORDER BY t.id DESC LIMIT ${rows})
        UNION ALL (${parties} ORDER BY t.id DESC LIMIT ${rows})
      ) visible ORDER BY id DESC LIMIT ${rows}`;
}

/** With a status filter the parties' tasks are looked up before the limit; without one, only a page of them is. */
function partyBranch(rows: number, role: TaskListRole, byStatus: boolean): string {
  const roles = role === 'worker' ? `AND party.role IN ('worker', 'hirer', 'selected')` : '';
  const limit = byStatus ? '' : `ORDER BY party.task_id DESC LIMIT ${rows}`;
  return `SELECT t.id, t.document FROM (
      SELECT DISTINCT party.task_id FROM task_parties party
      WHERE party.account_id = $1 AND party.task_id < $2 ${roles} ${limit}
    ) mine JOIN tasks t ON t.id = mine.task_id ${byStatus ? 'WHERE t.status = $3' : ''}`;
}

import { listedTask } from './visibility/task-visibility.sql.js';

/** Above every task id, in any collation: ids are `task_` and 26 characters, at most 'z'. */
export const AFTER_ALL_TASKS = `task_${'z'.repeat(27)}`;

export type TaskListRole = 'buyer' | 'worker' | undefined;

/** A named statement: $1 account, $2 id to start below, $3 status where filtered. Its answer is one `TaskListRow`. */
export interface TaskListStatement {
  name: string;
  text: string;
}

/** A whole page as text, because reading and joining its rows in this process would cost more than it costs Postgres. */
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
 * Two indexed branches, each at most a page and one row long, are merged: the tasks that everyone sees and the tasks that
 * the caller is a party to. So the cost is that of a page, whatever the share of private tasks and however deep the page.
 * The page size is part of the text (and name): as a parameter it would hide from the planner that so few rows are wanted.
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

/**
 * The roles by which an agent's owner works in a tree. The indexes `task_parties_at_work…` have exactly this condition: with
 * another, the planner takes the primary key, and reads past all that the account buys.
 */
const AT_WORK = `party.role IN ('worker', 'hirer')`;

/** The rows of a page, newest first. */
function taskPage(rows: number, role: TaskListRole, byStatus: boolean): string {
  if (role === 'buyer') {
    return `SELECT t.id, t.document FROM tasks t WHERE t.buyer_account_id = $1 AND ${newest('t', 'id', rows, byStatus)}`;
  }
  const parties = partyBranch(rows, role, byStatus);
  if (role === 'worker') return `${parties} ORDER BY t.id DESC LIMIT ${rows}`;
  return `SELECT DISTINCT ON (id) id, document FROM (
        (SELECT t.id, t.document FROM tasks t WHERE ${listedTask('t')} AND ${newest('t', 'id', rows, byStatus)})
        UNION ALL (${parties} ORDER BY t.id DESC LIMIT ${rows})
      ) visible ORDER BY id DESC LIMIT ${rows}`;
}

/** A page of the tasks that the caller is a party to; `task_parties` alone finds it, also by status. */
function partyBranch(rows: number, role: TaskListRole, byStatus: boolean): string {
  const distinct = byStatus ? 'party.status, party.task_id' : 'party.task_id';
  return `SELECT t.id, t.document FROM (
      SELECT DISTINCT ${distinct} FROM task_parties party
      WHERE party.account_id = $1 ${role === 'worker' ? `AND ${AT_WORK}` : ''}
        AND ${newest('party', 'task_id', rows, byStatus)}
    ) mine JOIN tasks t ON t.id = mine.task_id`;
}

/**
 * The end of a branch: the rows below $2, newest first, and with `byStatus` only those in the status $3. The status is the
 * first column of a position and not an equality, which leaves one index in the right order: for `status = $3` the planner
 * may take the index on ids alone, and then read past all tasks in other statuses to find a rare one.
 */
function newest(table: string, id: string, rows: number, byStatus: boolean): string {
  if (!byStatus) return `${table}.${id} < $2 ORDER BY ${table}.${id} DESC LIMIT ${rows}`;
  return `${table}.status >= $3 AND (${table}.status, ${table}.${id}) < ($3, $2)
        ORDER BY ${table}.status DESC, ${table}.${id} DESC LIMIT ${rows}`;
}

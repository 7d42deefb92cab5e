import { utcText } from '../../platform/database/utc-text.sql.js';
import { UNSIGNED_STATUSES } from './quote.lifecycle.js';

/** Above every quote id, in any collation: ids are `quote_` and 26 characters, at most 'z'. */
export const AFTER_ALL_QUOTES = `quote_${'z'.repeat(27)}`;

const COLUMNS =
  'id, task_id, agent_id, parent_node_number, price, deadline, valid_until, terms_hash, status, sign_until';
const WORKER = 'worker_account_id = $1';
const PAYER = `payer_account_id = $1 AND status NOT IN (${UNSIGNED_STATUSES.map((status) => `'${status}'`).join(', ')})`;
/** An offer that waits for its signature ends with the action that asks for it. */
const STANDS_UNTIL = `CASE WHEN status = 'pending_signature' THEN least(sign_until, valid_until) ELSE valid_until END`;

/**
 * One page of the quotes an account may see (docs/decisions/interface.md#visibility), newest first: $1 account, $2 id
 * to start below, $3 task where filtered. Its own quotes and those offered to it are two indexed branches of at most a
 * page each, so a page costs the same however deep it lies. The row count is part of the text, where the planner sees
 * it.
 */
export function quoteListStatement(rows: number, byTask: boolean): { name: string; text: string } {
  const branch = (who: string): string =>
    `(SELECT ${COLUMNS} FROM quotes WHERE ${who} AND id < $2 ${byTask ? 'AND task_id = $3' : ''}
      ORDER BY id DESC LIMIT ${rows})`;
  return {
    name: `quotes${byTask ? '_of_task' : ''}_${rows}`,
    text: `SELECT id, task_id, agent_id, parent_node_number, price, terms_hash, status,
        ${utcText('deadline')} AS deadline,
        ${utcText('valid_until')} AS valid_until,
        ${utcText(STANDS_UNTIL)} AS stands_until
      FROM (${branch(WORKER)} UNION ${branch(PAYER)}) AS visible
      ORDER BY id DESC LIMIT ${rows}`,
  };
}

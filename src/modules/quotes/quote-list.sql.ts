import { type RenderedPageRow, renderedPage } from '../../platform/pagination/rendered-page.sql.js';
import { EXPIRING_STATUSES, UNSIGNED_STATUSES } from './quote/quote.lifecycle.js';

/** Above every quote id, in any collation: ids are `quote_` and 26 characters, at most 'z'. */
export const AFTER_ALL_QUOTES = `quote_${'z'.repeat(27)}`;

/** Where a quote stands in the list. */
export const QUOTE_POSITION = { id: 'text' } as const;

/** A rendered page of quotes. */
export type QuotePageRow = RenderedPageRow<keyof typeof QUOTE_POSITION>;

const COLUMNS = 'id, document, status, valid_until, sign_until';
const WORKER = 'worker_account_id = $1';
const PAYER = `payer_account_id = $1 AND status NOT IN (${listed(UNSIGNED_STATUSES)})`;
const EXPIRING = listed(EXPIRING_STATUSES);
/** A quote that waits for its signature ends with the action that asks for the signature, at the latest. */
const STANDS_UNTIL = `CASE WHEN status = 'pending_signature' THEN least(sign_until, valid_until) ELSE valid_until END`;

/**
 * The document with the status that time has decided, see `quoteStatusAt`. Replacing text is safe, because a quote's
 * document holds no text that a person wrote.
 * @param now placeholder of the moment, in whole seconds.
 */
const shownAt = (now: string): string => `CASE WHEN status IN (${EXPIRING}) AND ${STANDS_UNTIL} < ${now}::timestamptz
  THEN replace(document, concat('"status":"', status, '"'), '"status":"expired"') ELSE document END`;

/**
 * One page of the quotes an account may see (docs/decisions/interface.md#visibility), newest first: $1 account, $2 id
 * to start below, $3 now, $4 task where filtered. Its own quotes and those offered to it are two indexed branches of at
 * most a page each, so a page costs the same however deep it lies. The row count is part of the text, where the planner
 * sees it.
 */
export function quoteListStatement(limit: number, byTask: boolean): { name: string; text: string } {
  const branch = (who: string): string =>
    `(SELECT ${COLUMNS} FROM quotes WHERE ${who} AND id < $2 ${byTask ? 'AND task_id = $4' : ''}
      ORDER BY id DESC LIMIT ${limit + 1})`;
  const rows = `SELECT id, ${shownAt('$3')} AS document FROM (
        SELECT DISTINCT ON (id) * FROM (${branch(WORKER)} UNION ALL ${branch(PAYER)}) AS visible
        ORDER BY id DESC LIMIT ${limit + 1}
      ) AS page`;
  return {
    name: `quotes${byTask ? '_of_task' : ''}_${limit}`,
    text: renderedPage(rows, limit, 'id DESC', QUOTE_POSITION),
  };
}

function listed(statuses: readonly string[]): string {
  return statuses.map((status) => `'${status}'`).join(', ');
}

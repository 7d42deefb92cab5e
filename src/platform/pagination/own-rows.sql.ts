/**
 * SQL that is true for the rows of one account below an id; for a table with an index on (account_id, id). The account is
 * the first column of a position and not an equality, which leaves that index as the only one in the right order: else the
 * planner may go through the rows of everybody by their ids, where it expects few accounts to have most of them. The two
 * bounds of the account say how few rows those are; without the upper one it expects a ninth of the table, and prefers to
 * read and sort all rows of the account by another index.
 * @param table alias of the table.
 * @param account placeholder of the account.
 * @param id placeholder of the id.
 */
export function ownBelow(table: string, account: string, id: string): string {
  const own = `${table}.account_id`;
  return `${own} >= ${account} AND ${own} <= ${account} AND (${own}, ${table}.id) < (${account}, ${id})`;
}

/** The order of such a list, newest first. */
export function ownNewest(table: string): string {
  return `${table}.account_id DESC, ${table}.id DESC`;
}

/** Which side of a node an agent is on; undefined: either. */
export type InboxRole = 'worker' | 'hirer' | undefined;

/** A place on a page, as the text that Postgres sent. */
export interface InboxRow {
  task_id: string;
  number: string;
}

/** Above every node: task ids are `task_` and 26 characters, at most 'z', in any collation. */
export const AFTER_ALL_NODES: readonly string[] = [`task_${'z'.repeat(27)}`, '0'];

/** Past its clock a row is what time has made of it (libs/contracts/src/node-clock.ts, `effectiveState`). */
const EFFECTIVE_STATE = `CASE
  WHEN state IN ('delivered', 'disputed') AND clock < $5::timestamptz THEN 'released'
  WHEN state = 'rejected' AND clock < $5::timestamptz THEN 'refunded'
  ELSE state END`;

/**
 * One page of the places of an agent's nodes, the newest task's first and in it the newest node: $1 agent, $2 account
 * of its owner, $3 and $4 task and number to start below; with a state also $5 now and $6 the effective state. What the
 * agent works on and what it hires for are two ranges of an index each, merged without repeats.
 */
export function inboxPageStatement(rows: number, role: InboxRole, byState: boolean): { name: string; text: string } {
  const branch = (side: 'worker' | 'hirer'): string =>
    `(SELECT task_id, number FROM escrow_nodes
      WHERE ${side}_agent_id = $1 AND $2 = ANY (visible_account_ids) AND (task_id, number) < ($3, $4::integer)
        ${byState ? `AND ${EFFECTIVE_STATE} = $6` : ''}
      ORDER BY task_id DESC, number DESC LIMIT ${rows})`;
  const branches = role === undefined ? `${branch('worker')} UNION ${branch('hirer')}` : branch(role);
  return {
    name: `inbox_${role ?? 'all'}${byState ? '_state' : ''}_${rows}`,
    text: `SELECT task_id, number FROM (${branches}) AS found ORDER BY task_id DESC, number DESC LIMIT ${rows}`,
  };
}

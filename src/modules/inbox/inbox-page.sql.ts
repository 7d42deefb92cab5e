import { isOwnedAgent } from '../agents/agents.sql-views.js';
import type { NodeSearch } from '../escrow/node-reader.js';

/** The side of a node that an agent is on; undefined: either side. */
export type InboxRole = 'worker' | 'hirer' | undefined;

/** Above every node: task ids are `task_` and 26 characters, at most 'z', in any collation. */
export const AFTER_ALL_NODES: readonly string[] = [`task_${'z'.repeat(27)}`, '0'];

/**
 * A node past its clock is in the state that time has decided (libs/contracts/src/tree/node-clock.ts, `effectiveState`).
 * These are the stored states, with their conditions on the clock, of nodes whose effective state is $6. An entry whose
 * state is null finds nothing.
 */
const WRITTEN_AS: readonly { state: string; clock: string }[] = [
  {
    state: '$6',
    clock: `clock >= CASE WHEN $6 IN ('delivered', 'disputed', 'rejected') THEN $5::timestamptz ELSE '-infinity' END`,
  },
  {
    state: `CASE $6 WHEN 'released' THEN 'delivered' WHEN 'refunded' THEN 'rejected' END`,
    clock: 'clock < $5::timestamptz',
  },
  { state: `CASE $6 WHEN 'released' THEN 'disputed' END`, clock: 'clock < $5::timestamptz' },
];

/**
 * The search for one page of an agent's nodes, those of the newest task first and in a task the newest node first: $1 agent,
 * $2 account of its owner, $3 and $4 task and number to start below, $5 now; with a state also $6, the effective state. An
 * agent that the account does not own gives no rows. The nodes that the agent works on and those it hires for are two ranges
 * of two indexes, merged without repeats; with a state there is one range for each stored state that can mean it. The state
 * is the first column of a position and not an equality, which leaves one index in the right order (task-list.sql.ts,
 * `newest`).
 */
export function inboxSearch(rows: number, role: InboxRole, byState: boolean): NodeSearch {
  const sides = (role === undefined ? ['worker', 'hirer'] : [role]).map(
    (side) => `SELECT * FROM escrow_nodes WHERE ${side}_agent_id = $1 AND $2 = ANY (visible_account_ids)`,
  );
  const branches = sides.flatMap((side) =>
    byState
      ? WRITTEN_AS.map(
          ({
            state,
            clock,
          }) => `(${side} AND state >= ${state} AND (state, task_id, number) < (${state}, $3, $4::integer)
        AND ${clock} ORDER BY state DESC, task_id DESC, number DESC LIMIT ${rows})`,
        )
      : `(${side} AND (task_id, number) < ($3, $4::integer) ORDER BY task_id DESC, number DESC LIMIT ${rows})`,
  );
  return {
    name: `inbox_${role ?? 'all'}${byState ? '_state' : ''}_${rows}`,
    page: `SELECT DISTINCT ON (task_id, number) * FROM (${branches.join(' UNION ALL ')}) AS found
      WHERE ${isOwnedAgent('$1', '$2')}
      ORDER BY task_id DESC, number DESC LIMIT ${rows}`,
    order: 'page.task_id DESC, page.number DESC',
    now: '$5',
  };
}

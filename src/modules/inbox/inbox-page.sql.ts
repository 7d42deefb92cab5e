import { isOwnedAgent } from '../agents/agents.sql-views.js';
import { IS_OPEN, LAPSED_STATE, NOTED_STATE } from '../escrow/node/node-clocks.sql.js';
import type { NodeSearch } from '../escrow/node-reader.js';

/** The side of a node that an agent is on; undefined: either side. */
export type InboxRole = 'worker' | 'hirer' | undefined;

/** Above every node: task ids are `task_` and 26 characters, at most 'z', in any collation. */
export const AFTER_ALL_NODES: readonly string[] = [`task_${'z'.repeat(27)}`, '0'];

/**
 * The search for one page of an agent's nodes, those of the newest task first and in a task each node after those below it: $1 agent,
 * $2 account of its owner, $3 and $4 task and path to start below, $5 now; with a state also $6, the effective state. An
 * agent that the account does not own gives no rows. The nodes that the agent works on and those it hires for are two ranges
 * of two indexes, merged without repeats. With a state there are two for each side: the nodes that have it written down, and
 * those whose clock has passed since the last round of the sweeper (escrow/node/node-clocks.sweeper.ts), which are few. The
 * state is the first column of a position and not an equality, which leaves one index in the right order (task-list.sql.ts,
 * `newest`).
 */
export function inboxSearch(rows: number, role: InboxRole, byState: boolean): NodeSearch {
  const branches = (role === undefined ? (['worker', 'hirer'] as const) : [role]).flatMap((side) => {
    const own = `${side}_agent_id = $1`;
    const seen = `SELECT * FROM escrow_nodes WHERE $2 = ANY (visible_account_ids)`;
    const below = '(task_id, path) < ($3, $4)';
    const newest = `task_id DESC, path DESC LIMIT ${rows}`;
    if (!byState) return `(${seen} AND ${own} AND ${below} ORDER BY ${newest})`;
    // With two bounds a generic plan expects few nodes, and with an array it looks them up one by one.
    const lapsed = `${IS_OPEN} AND clock >= '-infinity' AND clock < $5::timestamptz`;
    return [
      `(${seen} AND ${own} AND (${NOTED_STATE}) >= $6 AND (${NOTED_STATE}, task_id, path) < ($6, $3, $4)
        AND (${lapsed}) IS NOT TRUE ORDER BY (${NOTED_STATE}) DESC, ${newest})`,
      `(${seen} AND id = ANY (ARRAY(SELECT id FROM escrow_nodes WHERE ${own} AND ${lapsed}
        AND $6 IN ('released', 'refunded') AND ${LAPSED_STATE} = $6
        AND ${below})) ORDER BY ${newest})`,
    ];
  });
  return {
    name: `inbox_${role ?? 'all'}${byState ? '_state' : ''}_${rows}`,
    page: `SELECT DISTINCT ON (task_id, path) * FROM (${branches.join(' UNION ALL ')}) AS found
      WHERE ${isOwnedAgent('$1', '$2')}
      ORDER BY task_id DESC, path DESC LIMIT ${rows}`,
    order: 'page.task_id DESC, page.path DESC',
    now: '$5',
  };
}

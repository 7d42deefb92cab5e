import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Nodes that one transaction of the sweeper writes. */
export const BATCH = 500;

/** The state of a row of escrow_nodes once its clock has passed (libs/contracts/src/tree/node-clock.ts, `effectiveState`). */
export const LAPSED_STATE = `CASE state WHEN 'delivered' THEN 'released' WHEN 'rejected' THEN 'refunded'
    WHEN 'disputed' THEN CASE WHEN floor > 0 THEN 'released' ELSE 'refunded' END ELSE state END`;

/**
 * The state of a row of escrow_nodes at a moment, also where nobody has written down what its clock decided.
 *
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function stateAt(now: string): string {
  return `CASE WHEN clock < ${now}::timestamptz THEN ${LAPSED_STATE} ELSE state END`;
}

/**
 * The state of a row as far as the sweeper has noted what time decided. A note is the clock itself, so it says nothing
 * once the chain gives the node another one. Indexes hold this very expression.
 */
export const NOTED_STATE = `CASE WHEN lapsed_clock = clock THEN ${LAPSED_STATE} ELSE state END`;

/** True for rows of escrow_nodes whose clock will change their state, or has, with nobody having noted it yet. */
export const IS_OPEN = `state IN ('delivered', 'disputed', 'rejected') AND (lapsed_clock = clock) IS NOT TRUE`;

/**
 * The clock of a row for which `IS_OPEN` holds. The sweeper's index is on this expression and not on the clock, so that no
 * plan reads the open nodes of the whole market where those of one agent are asked for.
 */
const OPEN_CLOCK = `CASE WHEN ${IS_OPEN} THEN clock END`;

/** Notes the passed clocks of a batch of nodes: $1 moment. Nodes that a block or a request has locked are left out. */
export const NOTE_LAPSES: PreparedStatement = {
  name: 'node_clocks_note',
  text: `WITH noted AS (
      UPDATE escrow_nodes SET lapsed_clock = clock WHERE id = ANY (ARRAY(
        SELECT id FROM escrow_nodes WHERE ${OPEN_CLOCK} < $1
        ORDER BY ${OPEN_CLOCK} LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
      )) RETURNING id
    )
    SELECT count(*)::integer AS nodes FROM noted`,
};

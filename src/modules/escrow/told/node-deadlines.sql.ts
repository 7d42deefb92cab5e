import { INDEXED_TIME, isShown } from '../../../platform/chain/indexed-time.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { WireNodeState } from '#libs/contracts';
import { stateAt } from '../node/node-clocks.sql.js';
import { fatesOfPage } from '../node/node-ancestors.sql.js';

/** Nodes that one transaction tells of. */
export const BATCH = 200;

/**
 * A rejected node whose worker may deliver again by a time that was not over yet when it was rejected. Where the arbiter can
 * be called, that is possible until one window after the rejection, or until the time to deliver if that is later
 * (libs/contracts/solidity/src/TaskEscrow.sol, `rejectTask`).
 */
const CAN_DELIVER_AGAIN = `state = 'rejected' AND revisions < max_revisions AND (clock = delivery_deadline
    OR delivery_deadline AT TIME ZONE 'UTC' > clock AT TIME ZONE 'UTC' - accept_window_seconds * interval '1 second')`;

/** A time that a node has, by columns of escrow_nodes. */
interface NodeDeadline {
  /** Column of the deadline; in `told_deadlines` and in the statement's name, `name`. */
  readonly column: 'delivery_deadline' | 'clock';
  readonly name: 'delivery' | 'clock';
  /** Which nodes it concerns. No node has two of the same time. */
  readonly applies: string;
  /** How long the time was when it began: nobody is warned of less than that. */
  readonly window: string;
}

const DELIVERY: NodeDeadline = {
  column: 'delivery_deadline',
  name: 'delivery',
  applies: `state = 'funded' OR (${CAN_DELIVER_AGAIN})`,
  window: 'delivery_deadline - funded_at',
};
const CLOCK: NodeDeadline = {
  column: 'clock',
  name: 'clock',
  applies: `state IN ('delivered', 'disputed') OR (state = 'rejected' AND (clock <> delivery_deadline OR revisions >= max_revisions))`,
  // A ruling has thirty days (libs/contracts/solidity/src/NodeLedger.sol, `RULING_WINDOW`).
  window: `CASE state WHEN 'disputed' THEN interval '30 days' ELSE accept_window_seconds * interval '1 second' END`,
};

/** A moment in SQL, without time zone: only so can an index hold it. */
function before(deadline: string, hours: number): string {
  return `${deadline} AT TIME ZONE 'UTC' - interval '${hours} hours'`;
}

/**
 * The next moment of a node at which something is to be told; NULL for none. What was told is noted as its moment, so that a
 * note says nothing once the chain gives the node another deadline. An index holds this very expression.
 */
function nextMoment({ column, name, applies }: NodeDeadline): string {
  const told = `told_${name}`;
  return `CASE WHEN NOT (${applies}) OR ${told} = ${column} THEN NULL
    WHEN ${told} AT TIME ZONE 'UTC' = ${before(column, 1)} THEN ${before(column, 0)}
    WHEN ${told} AT TIME ZONE 'UTC' = ${before(column, 24)} THEN ${before(column, 1)}
    ELSE ${before(column, 24)} END`;
}

/** A node of which something was noted. */
export interface DueNode {
  readonly id: string;
  readonly taskId: string;
  readonly parentNodeId: string | null;
  readonly workerAgentId: string;
  readonly audience: readonly string[];
  /** Base units. */
  readonly amount: string;
  readonly state: 'funded' | 'delivered' | 'rejected' | 'disputed';
  /** The state that time has decided by now. */
  readonly effectiveState: WireNodeState;
  readonly deadline: Date;
  /** True when it is the time to deliver. */
  readonly isDelivery: boolean;
  /** How many whole hours before the deadline it is due; 0 for its end. */
  readonly hours: 24 | 1 | 0;
  /** False when it is only noted. */
  readonly isNews: boolean;
}

/**
 * Notes of a batch of nodes what is due of a deadline, once each; of several moments that have passed, the newest counts.
 * As of the index, because a block that is still unread may have changed the deadline. A task is locked as well as whoever
 * publishes its tree locks it, so that readers see what is told of a node in one order; what is locked is left for the next
 * round. Only noted is what would be told twice (`told_deadlines` outlives the nodes of an index that is made again), what
 * is over by now although the index does not know how it ended, a warning that is as old as the deadline, and the deadline
 * of a node whose money went back with a node above. $1 now.
 */
function noteDeadlines(own: NodeDeadline): PreparedStatement {
  const { column, name, window } = own;
  const next = nextMoment(own);
  const early = (hours: number): string => `${column} - interval '${hours} hours'`;
  return {
    name: `node_deadlines_${name}`,
    text: `WITH RECURSIVE index AS MATERIALIZED (SELECT least($1::timestamptz, ${INDEXED_TIME}) AS time),
      due AS MATERIALIZED (
        SELECT * FROM escrow_nodes WHERE (${next}) < (SELECT time AT TIME ZONE 'UTC' FROM index)
          AND ${isShown('escrow_nodes.task_id')}
        ORDER BY ${next} LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
      ), free AS MATERIALIZED (
        SELECT id FROM tasks WHERE id = ANY (ARRAY(SELECT task_id FROM due)) FOR SHARE SKIP LOCKED
      ), page AS MATERIALIZED (SELECT * FROM due WHERE task_id IN (SELECT id FROM free)
      ), ${fatesOfPage('$1')}, moments AS (
        SELECT *, CASE WHEN ${column} < index.time THEN ${column}
          WHEN ${early(1)} < index.time THEN ${early(1)} ELSE ${early(24)} END AS moment
        FROM page CROSS JOIN index
      ), judged AS MATERIALIZED (
        SELECT moments.*, known.told, known.told < moment IS NOT FALSE AND NOT coalesce(fates.closed, false)
            AND (moment = ${column} OR ($1::timestamptz <= ${column} AND ${window} > ${column} - moment)) AS is_news
        FROM moments LEFT JOIN fates ON fates.of_id = id
        CROSS JOIN LATERAL (
          SELECT CASE WHEN note IN (${column}, ${early(1)}, ${early(24)}) THEN note END AS told
          FROM coalesce(told_${name}, (SELECT memory.${name} FROM told_deadlines memory WHERE memory.node_id = moments.id)) AS note
        ) AS known
      ), noted AS (
        UPDATE escrow_nodes node SET told_${name} = greatest(told, moment) FROM judged WHERE node.id = judged.id
      ), remembered AS (
        INSERT INTO told_deadlines (node_id, ${name}) SELECT id, greatest(told, moment) FROM judged
        ON CONFLICT (node_id) DO UPDATE SET ${name} = EXCLUDED.${name}
      )
      SELECT id, task_id AS "taskId", parent_node_id AS "parentNodeId", worker_agent_id AS "workerAgentId",
        visible_account_ids AS audience, amount, state, ${column} AS deadline, ${String(own === DELIVERY)} AS "isDelivery",
        ${stateAt('$1')} AS "effectiveState",
        extract(epoch FROM ${column} - moment)::integer / 3600 AS hours, is_news AS "isNews"
      FROM judged ORDER BY moment, id`,
  };
}

/** One for each kind of deadline; a node has at most one of each. */
export const NOTE_DEADLINES: readonly PreparedStatement[] = [noteDeadlines(DELIVERY), noteDeadlines(CLOCK)];

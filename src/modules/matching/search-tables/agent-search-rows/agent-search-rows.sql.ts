import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import { IDENTITY, IMPRESSIONS, LIVE_NODES } from '../agent-facts.sql.js';
import { packedPostingsSql } from '../../relevance/packed-postings.sql.js';

/**
 * `unseen`: the changes that the rows do not show yet. `state` and `unseen` are empty when the rows were never filled, or
 * when they come from a database whose transactions were numbered further than here, so that its state means nothing.
 */
const UNSEEN = `state AS (
    SELECT applied::pg_snapshot AS applied FROM match_agents_state
    WHERE pg_snapshot_xmax(applied::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
  ), unseen AS MATERIALIZED (
    SELECT kind, agent_number, agent_numbers FROM state JOIN match_changes c
      ON c.transaction_id >= pg_snapshot_xmin(state.applied)::text::bigint
    WHERE NOT pg_visible_in_snapshot(c.transaction_id::text::xid8, state.applied)
  )`;

/** True when any row may be out of date. */
const ARE_ALL_UNSEEN = `(NOT EXISTS (SELECT FROM state) OR EXISTS (SELECT FROM unseen WHERE kind = 'postings'))`;

const UNSEEN_NUMBERS = `SELECT agent_number FROM unseen WHERE agent_number IS NOT NULL
  UNION SELECT unnest(agent_numbers) FROM unseen`;

/** Numbers of the agents whose rows are out of date; null when all may be, or more than $1. */
export const PENDING: PreparedStatement = {
  name: 'match_agents_pending',
  text: `WITH ${UNSEEN}
    SELECT CASE WHEN NOT ${ARE_ALL_UNSEEN}
      AND coalesce((SELECT sum(coalesce(cardinality(agent_numbers), 1)) FROM unseen), 0) <= $1
      THEN ARRAY(${UNSEEN_NUMBERS})::text END AS numbers`,
};

/** The agents whose rows are out of date, in order; the state that the rows show now, and the one they will show then. */
export const DUE: PreparedStatement = {
  name: 'match_agents_due',
  text: `WITH ${UNSEEN}
    SELECT pg_current_snapshot()::text AS snapshot, (SELECT applied FROM match_agents_state) AS applied,
      CASE WHEN ${ARE_ALL_UNSEEN} THEN ARRAY(SELECT number FROM agents UNION SELECT number FROM match_agents ORDER BY 1)
        ELSE ARRAY(${UNSEEN_NUMBERS} ORDER BY 1) END::text AS numbers`,
};

/** Reads the state that the rows show, and lets nobody else write them until the end of the transaction. */
export const LOCK: PreparedStatement = {
  name: 'match_agents_lock',
  text: 'SELECT applied FROM match_agents_state FOR UPDATE',
};

export const MARK: PreparedStatement = {
  name: 'match_agents_mark',
  text: 'UPDATE match_agents_state SET applied = $1',
};

const KNOWN = [
  'id',
  'account_id',
  'owner_cluster',
  'wallet_address',
  'status',
  'available',
  'available_until',
  'live_nodes',
  'impressions',
  'score',
  'independence_confidence',
  'settled_value',
  'independent_value',
  'settlements',
  'postings',
];

/** Writes the rows of the agents $1 from the tables as they are now. */
export const KEEP: PreparedStatement = {
  name: 'match_agents_keep',
  text: `WITH gone AS (
      DELETE FROM match_agents m
      WHERE m.number = ANY($1::integer[]) AND NOT EXISTS (SELECT FROM agents a WHERE a.number = m.number)
    )
    INSERT INTO match_agents (number, ${KNOWN.join(', ')})
    SELECT ${IDENTITY}, a.status, a.available, a.available_until, ${LIVE_NODES}, ${IMPRESSIONS},
      r.score, r.independence_confidence, r.settled_value, r.independent_value, r.settlements, ${packedPostingsSql('a.number')}
    FROM agents a LEFT JOIN reputation_records r ON r.agent_id = a.id
    WHERE a.number = ANY($1::integer[])
    ON CONFLICT (number) DO UPDATE SET ${KNOWN.map((column) => `${column} = excluded.${column}`).join(', ')}`,
};

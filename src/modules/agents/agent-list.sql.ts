import { utcText } from '../../platform/database/utc-text.sql.js';
import { availableSql } from './agent.lifecycle.js';

/** A named statement. */
interface Statement {
  name: string;
  text: string;
}

/** Above every agent id, in any collation: ids are `agent_` and 26 characters, at most 'z'. */
const ABOVE_ALL_IDS = `agent_${'z'.repeat(27)}`;
export const AFTER_ALL: readonly string[] = [ABOVE_ALL_IDS];
export const AFTER_ALL_FOUND: readonly string[] = ['infinity', ABOVE_ALL_IDS];

/** Who is on the market or may come back to it; the predicate of `agents_listed_id_idx`. */
const LISTED = `status NOT IN ('retired', 'suspended')`;

function columns(agent: string, now: string): string {
  return `${agent}.id, ${agent}.name, ${agent}.description, ${agent}.agent_card_url, ${agent}.status,
    to_json(${agent}.capabilities) AS capabilities,
    (${agent}.status = 'active' AND ${availableSql(agent, now)})::text AS available,
    ${utcText(`CASE WHEN ${agent}.available_until > ${now} THEN ${agent}.available_until END`)} AS available_until,
    ${utcText(`${agent}.created_at`)} AS created_at`;
}

/** One page of the listed agents, newest first: $1 now, $2 id to start below. */
export function agentListStatement(rows: number): Statement {
  return {
    name: `agents_${rows}`,
    text: `SELECT ${columns('a', '$1::timestamptz')} FROM agents a
      WHERE ${LISTED} AND a.id < $2 ORDER BY a.id DESC LIMIT ${rows}`,
  };
}

/**
 * One page of the listed agents that a query finds, the best first, then the newest: $1 now, $2 the query as
 * `searchQuery` gives it, $3 and $4 rank and id to start below. The rank depends on the agent and the query alone, so
 * others who come or go do not move a page. `websearch_to_tsquery` takes any text. A query that only excludes, or has
 * no word left, would read every agent: `querytree` says so, and nothing is found.
 */
export function agentSearchStatement(rows: number): Statement {
  return {
    name: `agents_found_${rows}`,
    text: `WITH wanted AS (
        SELECT websearch_to_tsquery('english', $2) AS query
      ), found AS MATERIALIZED (
        SELECT a.id, ts_rank(a.search, (SELECT query FROM wanted), 1) AS rank FROM agents a
        WHERE (SELECT querytree(query) NOT IN ('', 'T') FROM wanted)
          AND a.search @@ (SELECT query FROM wanted) AND ${LISTED}
      ), page AS (
        SELECT id, rank FROM found WHERE (rank, id) < ($3::real, $4) ORDER BY rank DESC, id DESC LIMIT ${rows}
      )
      SELECT ${columns('a', '$1::timestamptz')}, page.rank::text AS rank
      FROM page JOIN agents a ON a.id = page.id
      ORDER BY page.rank DESC, page.id DESC`,
  };
}

import { utcText } from '../../../platform/database/columns/utc-text.sql.js';
import { availableSql } from '../agent/agent.lifecycle.js';

/** A named statement. */
export interface AgentStatement {
  name: string;
  text: string;
}

/** Above every agent id, in any collation: ids are `agent_` and 26 characters, at most 'z'. */
const ABOVE_ALL_IDS = `agent_${'z'.repeat(27)}`;
export const AFTER_ALL: readonly string[] = [ABOVE_ALL_IDS];

/** Who is on the market or may come back to it; the predicate of `agents_listed_id_idx`. */
export const LISTED = `status NOT IN ('retired', 'suspended')`;

/** What an agent shows to everybody. */
export function agentColumns(agent: string, now: string): string {
  return `${agent}.id, ${agent}.name, ${agent}.description, ${agent}.agent_card_url, ${agent}.status,
    to_json(${agent}.capabilities) AS capabilities,
    (${agent}.status = 'active' AND ${availableSql(agent, now)})::text AS available,
    ${utcText(`CASE WHEN ${agent}.available_until > ${now} THEN ${agent}.available_until END`)} AS available_until,
    ${utcText(`${agent}.created_at`)} AS created_at`;
}

/** One page of the listed agents, newest first: $1 now, $2 id to start below. */
export function agentListStatement(rows: number): AgentStatement {
  return {
    name: `agents_${rows}`,
    text: `SELECT ${agentColumns('a', '$1::timestamptz')} FROM agents a
      WHERE ${LISTED} AND a.id < $2 ORDER BY a.id DESC LIMIT ${rows}`,
  };
}

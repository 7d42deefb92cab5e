import { utcText } from '../../../platform/time/utc-text.sql.js';
import { type RenderedPageRow, renderedPage } from '../../../platform/pagination/rendered-page.sql.js';
import { availableSql } from '../agent/agent.lifecycle.js';

/** A named statement. */
export interface AgentStatement {
  name: string;
  text: string;
}

/** Above every agent id, in any collation: ids are `agent_` and 26 characters, at most 'z'. */
const ABOVE_ALL_IDS = `agent_${'z'.repeat(27)}`;
export const AFTER_ALL: readonly string[] = [ABOVE_ALL_IDS];

/** True for agents that are on the market or may come back to it; the predicate of `agents_listed_id_idx`. */
export const LISTED = `status NOT IN ('retired', 'suspended')`;

/** The columns of an agent that everybody may see. */
export function agentColumns(agent: string, now: string): string {
  return `${agent}.id, ${agent}.name, ${agent}.description, ${agent}.agent_card_url, ${agent}.status,
    to_json(${agent}.capabilities) AS capabilities,
    (${agent}.status = 'active' AND ${availableSql(agent, now)})::text AS available,
    ${utcText(`CASE WHEN ${agent}.available_until > ${now} THEN ${agent}.available_until END`)} AS available_until,
    ${utcText(`${agent}.created_at`)} AS created_at`;
}

/** Where an agent stands in the list. */
export const AGENT_POSITION = { id: 'text' } as const;

/** A rendered page of agents. */
export type AgentPageRow = RenderedPageRow<keyof typeof AGENT_POSITION>;

/** An agent whose availability has an end is rendered anew, because its stored document changes when that has passed. */
const SHOWN = `CASE WHEN a.available_until IS NULL THEN a.document
        ELSE agent_document(a.id, a.name, a.status, a.capabilities, a.created_at,
          a.status = 'active' AND ${availableSql('a', '$1::timestamptz')},
          CASE WHEN a.available_until > $1::timestamptz THEN a.available_until END, a.agent_card_url, a.description)
        END`;

/** One page of the listed agents, newest first: $1 now, $2 id to start below. */
export function agentListStatement(limit: number): AgentStatement {
  const rows = `SELECT a.id, ${SHOWN} AS document FROM agents a
      WHERE ${LISTED} AND a.id < $2 ORDER BY a.id DESC LIMIT ${limit + 1}`;
  return { name: `agents_${limit}`, text: renderedPage(rows, limit, 'id DESC', AGENT_POSITION) };
}

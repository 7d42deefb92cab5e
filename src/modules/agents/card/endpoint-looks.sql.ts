import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** An endpoint whose look is due. */
export interface DueEndpointRow {
  agent_id: string;
  account_id: string;
  url: string;
  card_url: string;
  protocol_binding: string;
  protocol_version: string;
  checked_at: Date;
  failures: number;
  failed_since: Date | null;
  left_out_at: Date | null;
  /** False: there is no card that could show it. */
  has_card: boolean;
}

/** A day, and up to two hours more, so that what was named at one moment is not looked at in one moment for ever. */
const LOOK_AFTER = "interval '1 day' + random() * interval '2 hours'";

/**
 * Takes up to $2 endpoints whose look is due at $1, each for one process, and dates their next look: one that a process does
 * not end is made up for a day later.
 */
export const TAKE_DUE: PreparedStatement = {
  name: 'endpoint-looks-take',
  text: `UPDATE agent_endpoints endpoint SET next_look_at = $1::timestamptz + ${LOOK_AFTER}
    FROM (SELECT agent_id FROM agent_endpoints WHERE next_look_at <= $1 ORDER BY next_look_at LIMIT $2
      FOR UPDATE SKIP LOCKED) AS due
    JOIN agents agent ON agent.id = due.agent_id
    WHERE endpoint.agent_id = due.agent_id
    RETURNING endpoint.agent_id, agent.account_id, endpoint.url, endpoint.card_url, endpoint.protocol_binding,
      endpoint.protocol_version, endpoint.checked_at, endpoint.failures, endpoint.failed_since, endpoint.left_out_at,
      agent.agent_card_url = endpoint.card_url AND agent.status IN ('active', 'inactive') AS has_card`,
};

/** Writes what the looks at the endpoints $1 have found, but for those that their owner has named anew since ($2). */
export const RECORD_LOOKS: PreparedStatement = {
  name: 'endpoint-looks-record',
  text: `UPDATE agent_endpoints endpoint SET checked_at = look.checked_at, protocol_binding = look.protocol_binding,
      protocol_version = look.protocol_version, failures = look.failures, failed_since = look.failed_since,
      left_out_at = look.left_out_at
    FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::text[], $5::text[], $6::smallint[],
      $7::timestamptz[], $8::timestamptz[]) AS look (agent_id, checked_before, checked_at, protocol_binding,
      protocol_version, failures, failed_since, left_out_at)
    WHERE endpoint.agent_id = look.agent_id AND endpoint.checked_at = look.checked_before
    RETURNING endpoint.agent_id`,
};

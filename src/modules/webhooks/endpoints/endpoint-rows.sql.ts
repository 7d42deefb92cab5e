import { deleteBatch } from '../../../platform/database/expired-rows.sql.js';
import { ownBelow, ownNewest } from '../../../platform/pagination/own-rows.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { readerLasts } from '../../credentials/credentials.sql-views.js';

/** The endpoints of the account $1 below the id $2 that the credential $3 made (null: of the whole account), newest first. */
export function endpointList(columns: string, rows: number): PreparedStatement {
  return {
    name: `webhook_endpoints_${rows}`,
    text: `SELECT ${columns} FROM webhook_endpoints endpoint
      WHERE ${ownBelow('endpoint', '$1', '$2')} AND ($3::text IS NULL OR endpoint.credential_id = $3)
      ORDER BY ${ownNewest('endpoint')} LIMIT ${rows}`,
  };
}

/** The attempts of the endpoint $1 below the id $2, newest first. */
export function attemptList(columns: string, rows: number): PreparedStatement {
  return {
    name: `webhook_attempts_${rows}`,
    text: `SELECT ${columns} FROM webhook_attempts attempt
      WHERE attempt.endpoint_id >= $1 AND attempt.endpoint_id <= $1 AND (attempt.endpoint_id, attempt.id) < ($1, $2)
      ORDER BY attempt.endpoint_id DESC, attempt.id DESC LIMIT ${rows}`,
  };
}

/** The latest attempt of each endpoint among $1: one look into the index for each. */
export function latestAttempts(columns: string): PreparedStatement {
  return {
    name: 'webhook_attempts_latest',
    text: `SELECT ${columns} FROM unnest($1::text[]) AS asked (id)
      CROSS JOIN LATERAL (SELECT * FROM webhook_attempts WHERE endpoint_id = asked.id
        ORDER BY endpoint_id DESC, id DESC LIMIT 1) AS attempt`,
  };
}

/** Takes all that waits for the endpoint $1 out of the schedule; a replay of what has failed gets it. */
export const GIVE_ALL_UP = 'UPDATE webhook_retries SET next_at = NULL WHERE endpoint_id = $1 AND next_at IS NOT NULL';

/** Where an endpoint that is disabled has to be replayed from: the first event that waits, or what is behind its position. */
export const FIRST_MISSED = `SELECT least(endpoint.missed_from, (SELECT min(waiting.sequence) FROM webhook_retries waiting
    WHERE waiting.endpoint_id = endpoint.id AND waiting.next_at IS NOT NULL), endpoint.position + 1)::text AS "from"
  FROM webhook_endpoints endpoint WHERE endpoint.id = $1`;

/** Counts what waits for the endpoint $1. */
export const COUNT_WAITING = `UPDATE webhook_endpoints SET waiting = (SELECT count(*) FROM webhook_retries waiting
    WHERE waiting.endpoint_id = $1 AND waiting.next_at IS NOT NULL) WHERE id = $1`;

/** Deletes the endpoints whose credential has ended at $1. */
export const DELETE_ENDED = deleteBatch(
  'webhook_endpoints',
  'id',
  `NOT ${readerLasts('webhook_endpoints.account_id', 'webhook_endpoints.credential_id', '$1')}`,
  'id',
);

/** Deletes attempts that were made before $1. */
export const DELETE_ATTEMPTS = deleteBatch('webhook_attempts', 'id', 'at <= $1', 'at');

/** Deletes what was given up and had failed before $1. */
export const DELETE_GIVEN_UP = deleteBatch(
  'webhook_retries',
  'endpoint_id, sequence',
  'next_at IS NULL AND since <= $1',
  'since',
);

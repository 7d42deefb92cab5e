import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { mayRead } from '../../credentials/credentials.sql-views.js';
import { documentAt, hasEventBehind } from '../../events/events.sql-views.js';
import { DOWN_AFTER, MAX_WAITING } from './retry-schedule.js';

/** For how long a process may work on an endpoint without a sign of life; longer than an attempt takes. */
const LEASE = `clock_timestamp() + interval '45 seconds'`;

/** Event that is for one endpoint alone, whatever types that has. */
export const TEST_TYPE = 'webhook_endpoint.test';

/**
 * True when the cursor goes on: too few events fail to stop it. One that is down with nothing waiting tries the next event, so
 * that it is noticed when it is back.
 */
const CURSOR_GOES_ON = `(endpoint.waiting = 0
  OR (endpoint.failed_in_a_row < ${DOWN_AFTER} AND endpoint.waiting < ${MAX_WAITING}))`;

const HAS_WORK = `(EXISTS (SELECT FROM webhook_retries waiting
    WHERE waiting.endpoint_id = endpoint.id AND waiting.next_at <= $2)
  OR (${CURSOR_GOES_ON} AND ${hasEventBehind(
    'endpoint.account_id',
    `CASE WHEN endpoint.types IS NOT NULL THEN array_append(endpoint.types, '${TEST_TYPE}') END`,
    'endpoint.position',
  )}))`;

/**
 * Takes up to $4 endpoints that have something to get, for the holder $5, those first that have waited longest: $1 the slow
 * ones or the others, $2 now, $3 now by the wall's clock. Nobody else delivers to them until the lease ends.
 */
export const TAKE_UP = `WITH due AS (
    SELECT endpoint.id FROM webhook_endpoints endpoint
    WHERE endpoint.status = 'enabled' AND endpoint.is_slow = $1 AND endpoint.resume_at <= $2
      AND (endpoint.lease_until IS NULL OR endpoint.lease_until < clock_timestamp())
      AND ${HAS_WORK} AND ${mayRead('endpoint.account_id', 'endpoint.credential_id', '$3')}
    ORDER BY endpoint.served_at LIMIT $4 FOR UPDATE OF endpoint SKIP LOCKED)
  UPDATE webhook_endpoints endpoint SET lease_holder = $5, lease_until = ${LEASE}, served_at = $2
  FROM due WHERE endpoint.id = due.id RETURNING endpoint.id`;

/** An endpoint as it is before an attempt. */
export interface HeldEndpoint {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly types: string[] | null;
  readonly secret_sealed: Buffer;
  readonly previous_secret_sealed: Buffer | null;
  readonly previous_secret_until: Date | null;
  readonly position: string;
  readonly failed_in_a_row: number;
  readonly failing_since: Date | null;
  readonly cursor_goes_on: boolean;
}

/**
 * Renews the lease that $2 has of the endpoint $1, and reads it. No row: it was deleted, disabled or paused, its credential has
 * ended (at $4 by the wall's clock), or somebody else has the lease. $3 now.
 */
export const HOLD = `UPDATE webhook_endpoints endpoint SET lease_until = ${LEASE}
  WHERE endpoint.id = $1 AND endpoint.lease_holder = $2 AND endpoint.status = 'enabled' AND endpoint.resume_at <= $3
    AND ${mayRead('endpoint.account_id', 'endpoint.credential_id', '$4')}
  RETURNING endpoint.id, endpoint.account_id, endpoint.url, endpoint.types, endpoint.secret_sealed,
    endpoint.previous_secret_sealed, endpoint.previous_secret_until, endpoint.position::text AS position,
    endpoint.failed_in_a_row, endpoint.failing_since, ${CURSOR_GOES_ON} AS cursor_goes_on`;

/** Gives the lease of the endpoint $1 back, if $2 has it. */
export const LET_GO = `UPDATE webhook_endpoints SET lease_holder = NULL, lease_until = NULL
  WHERE id = $1 AND lease_holder = $2`;

/** Events of the endpoint $1 that are to be tried again at $2, in the order of the log. */
export const DUE_RETRIES = `SELECT waiting.sequence::text AS sequence, ${documentAt('waiting.sequence')} AS document,
    waiting.event_id, waiting.tries, waiting.since
  FROM webhook_retries waiting WHERE waiting.endpoint_id = $1 AND waiting.next_at <= $2
  ORDER BY waiting.sequence LIMIT 20`;

/** An event that is to be tried again. */
export interface DueRetry {
  readonly sequence: string;
  /** Null: the log has it no longer. */
  readonly document: string | null;
  readonly event_id: string;
  readonly tries: number;
  readonly since: Date;
}

/**
 * The endpoint $1 has passed the position $4 on its way from $3, if it is still there: a replay may have moved it meanwhile.
 * Only for the holder $2.
 */
export const PASS = `UPDATE webhook_endpoints SET position = $4::bigint
  WHERE id = $1 AND lease_holder = $2 AND position = $3::bigint RETURNING id`;

/** The holder $2 may still write about the endpoint $1. Its row is locked. */
export const LOCK_HELD = 'SELECT id FROM webhook_endpoints WHERE id = $1 AND lease_holder = $2 FOR UPDATE';

/** The endpoint $1 has taken an event; $2 whether it was slow. */
export const TAKEN = `UPDATE webhook_endpoints SET failing_since = NULL, failed_in_a_row = 0, is_slow = $2 WHERE id = $1`;

/** It has not, at $2; $3 how many more have failed in a row; $4 until when it is left alone. */
export const NOT_TAKEN = `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, $2),
    failed_in_a_row = failed_in_a_row + $3, is_slow = true, resume_at = greatest(resume_at, $4) WHERE id = $1`;

/** Nothing is sent to the endpoint $1 before $2. */
export const LEAVE_ALONE =
  'UPDATE webhook_endpoints SET resume_at = greatest(resume_at, $2::timestamptz) WHERE id = $1';

/** An event that waited for the endpoint $1 at $2 waits no more. */
export const FORGET_RETRY = 'DELETE FROM webhook_retries WHERE endpoint_id = $1 AND sequence = $2::bigint';

/** All that waits for the endpoint $1 is tried at $2: it answers again. */
export const ALL_DUE = `UPDATE webhook_retries SET next_at = $2 WHERE endpoint_id = $1 AND next_at > $2`;

/** What waits for the endpoint $1, which is down, waits at least until $2, when the first is tried again. */
export const WAIT_FOR_FIRST = `UPDATE webhook_retries SET next_at = $2 WHERE endpoint_id = $1 AND next_at < $2`;

/** The event $3 at the position $2 is tried again by the endpoint $1 at $5 (null: no more), after $4 tries since $6. */
export const KEEP_RETRY = `INSERT INTO webhook_retries (endpoint_id, sequence, event_id, tries, next_at, since)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (endpoint_id, sequence) DO UPDATE SET tries = excluded.tries, next_at = excluded.next_at`;

/** $1 id, $2 endpoint, $3 account, $4 event, $5 time, $6 status, $7 failure, $8 milliseconds, $9 answer. */
export const INSERT_ATTEMPT = `INSERT INTO webhook_attempts
    (id, endpoint_id, account_id, event_id, at, http_status, failure, duration_ms, answer)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** What is to be known of the endpoints before a look. */
export interface EndpointsNow {
  /** For how many seconds the enabled endpoint that has failed longest has taken no event. */
  readonly slowest: number;
  /** True when one is enabled. */
  readonly some: boolean;
}

/** The endpoints at $1. */
export const ENDPOINTS_NOW: PreparedStatement = {
  name: 'webhook-endpoints-now',
  text: `SELECT coalesce((SELECT max(extract(epoch FROM $1::timestamptz - failing_since)) FROM webhook_endpoints
      WHERE status = 'enabled' AND failing_since IS NOT NULL), 0)::float8 AS slowest,
    EXISTS (SELECT FROM webhook_endpoints WHERE status = 'enabled') AS "some"`,
};

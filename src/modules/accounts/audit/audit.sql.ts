import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Most rows of one kind of event that one account gets in 24 hours; further events are only counted. */
const ROWS_PER_DAY = 100;
/** Most sources of one kind of event that are told apart in an hour; the others are counted together. */
const SOURCES_PER_HOUR = 100;

const COLUMNS = 'id, occurred_at, request_id, event, account_id, client_id, credential_id, detail';

/**
 * Placeholders: the columns, and the lowest id of the last 24 hours. Gives no row when the account has `ROWS_PER_DAY` rows
 * of the event in that time already.
 */
export const INSERT: PreparedStatement = {
  name: 'audit-event-insert',
  text: `INSERT INTO audit_events (${COLUMNS})
    SELECT $1::text, $2::timestamptz, $3::text, $4::text, $5::text, $6::text, $7::text, $8::jsonb
    WHERE $3::text IS NULL OR $5::text IS NULL OR (
      SELECT count(*) FROM (
        SELECT 1 FROM audit_events same WHERE same.account_id = $5 AND same.id >= $9::text AND same.event = $4
        LIMIT ${ROWS_PER_DAY}) AS today) < ${ROWS_PER_DAY}
    RETURNING id`,
};

/** Placeholders: hour, event, source, time, request, detail. Gives the count of that hour, event and source. */
export const COUNT: PreparedStatement = {
  name: 'audit-event-count',
  text: `INSERT INTO audit_counts AS known (hour, event, source, count, first_at, last_at, last_request_id, last_detail)
    SELECT $1::timestamptz, $2::text,
      CASE WHEN EXISTS (SELECT 1 FROM audit_counts c WHERE c.hour = $1 AND c.event = $2 AND c.source = $3)
        OR (SELECT count(*) FROM audit_counts c WHERE c.hour = $1 AND c.event = $2) < ${SOURCES_PER_HOUR}
        THEN $3::text ELSE 'elsewhere' END,
      1, $4::timestamptz, $4::timestamptz, $5::text, $6::jsonb
    ON CONFLICT (hour, event, source) DO UPDATE SET count = known.count + 1, last_at = EXCLUDED.last_at,
      last_request_id = EXCLUDED.last_request_id, last_detail = EXCLUDED.last_detail
    RETURNING count::text`,
};

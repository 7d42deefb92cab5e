/** The default partition. */
export const OTHERS = 'audit_events_other';
/** The former default partition, while its events are given to the tables of their months. */
const STRAY = 'audit_events_stray';

/** Serialises the processes that maintain the tables at the same moment. The lock's numbers are arbitrary. */
export const TAKE_TURN = 'SELECT pg_advisory_xact_lock(7305, 36)';

/** Limits how long a sign-in can wait behind this work; when the lock times out, a later round does the work. */
export const LIMIT_WAITING = `SET LOCAL lock_timeout = '2s'`;

/** Tables of months: partitions of the record, and detached tables that are not archived yet. */
export const TABLES_OF_MONTHS = `SELECT relname AS name, relispartition AS "isPart" FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname LIKE 'audit\\_events\\_%' ORDER BY relname`;

/** Months of the events that were written while their month had no table. */
export const MONTHS_OF_OTHERS = `SELECT DISTINCT date_trunc('month', occurred_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS month
  FROM ${OTHERS}`;

/** Makes room for a new default partition: no month can be attached while the default partition has events of it. */
export const RENAME_OTHERS = `ALTER TABLE ${OTHERS} RENAME TO ${STRAY}`;

/** The renamed table keeps its index, whose name the new table needs. */
export const FREE_NAME_OF_INDEX = `ALTER INDEX IF EXISTS ${OTHERS}_pkey RENAME TO ${STRAY}_pkey`;
export const ATTACH_NEW_OTHERS = `CREATE TABLE ${OTHERS} PARTITION OF audit_events DEFAULT`;

/** Writes the events of the former default partition again, which Postgres puts into the tables of their months. */
export const INSERT_STRAYS = `INSERT INTO audit_events SELECT * FROM ${STRAY}`;
export const DROP_STRAYS = `DROP TABLE ${STRAY}`;

/** Makes the table of a month, for the events with ids of at least `from` and below `to`. */
export function attachMonth(table: string, from: string, to: string): string {
  return `CREATE TABLE ${table} PARTITION OF audit_events FOR VALUES FROM ('${from}') TO ('${to}')`;
}

/** Takes a table out of the record. */
export function detachTable(table: string): string {
  return `ALTER TABLE audit_events DETACH PARTITION ${table}`;
}

/**
 * Makes a table refuse changes.
 * @param name of the trigger.
 * @param what events of the trigger, as `UPDATE OR TRUNCATE`.
 */
export function refuseChanges(table: string, name: string, what: string): string {
  return `CREATE OR REPLACE TRIGGER ${name}
  BEFORE ${what} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`;
}

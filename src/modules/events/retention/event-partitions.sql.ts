/** The tables that are divided by `sequence`, all at the same bounds. */
export const DIVIDED_TABLES = ['events', 'event_audience'] as const;
export type DividedTable = (typeof DIVIDED_TABLES)[number];

/** Serialises the processes that maintain the partitions at the same moment. The lock's numbers are arbitrary. */
export const TAKE_TURN = 'SELECT pg_advisory_xact_lock(7305, 92)';

/** Limits how long the sequencer and readers can wait behind this work; a later round does what it left. */
export const LIMIT_WAITING = `SET LOCAL lock_timeout = '2s'`;

/** Where the log ends, and where an event of this moment would stand. */
export const ENDS = `SELECT last, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now FROM event_head`;

/** Names of the partitions of the divided tables. */
export const PARTITIONS = `SELECT part.relname AS name FROM pg_inherits
  JOIN pg_class part ON part.oid = pg_inherits.inhrelid
  WHERE pg_inherits.inhparent IN (${DIVIDED_TABLES.map((table) => `'${table}'::regclass`).join(', ')})`;

/** Makes the partition of a table for the sequences of at least `from` and below `to`. */
export function attachPartition(table: DividedTable, name: string, from: bigint, to: bigint): string {
  return `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`;
}

/** Drops a partition with its rows. */
export function dropPartition(name: string): string {
  return `DROP TABLE IF EXISTS ${name}`;
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Seven days of microseconds, as in event-partitions.ts. */
const PARTITION_SIZE = 604_800_000_000n;
const PARTITIONS_AHEAD = 2n;

const UP: readonly string[] = [
  // Every row leaves within milliseconds, so that the share of dead rows says nothing: vacuum by their number.
  `CREATE TABLE event_outbox (
     id bigint GENERATED ALWAYS AS IDENTITY,
     event_id text NOT NULL,
     type text NOT NULL,
     task_id text,
     audience text[] NOT NULL,
     document text NOT NULL,
     recorded_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT event_outbox_pkey PRIMARY KEY (id)
   ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  `CREATE TABLE event_head (
     id smallint NOT NULL DEFAULT 1,
     last bigint NOT NULL DEFAULT 0,
     CONSTRAINT event_head_pkey PRIMARY KEY (id)
   ) WITH (fillfactor = 10)`,
  'INSERT INTO event_head DEFAULT VALUES',
  `CREATE TABLE events (
     sequence bigint NOT NULL,
     id text NOT NULL,
     document text NOT NULL,
     CONSTRAINT events_pkey PRIMARY KEY (sequence)
   ) PARTITION BY RANGE (sequence)`,
  'CREATE INDEX events_id_idx ON events (id)',
  `CREATE TABLE event_audience (
     account_id text NOT NULL,
     sequence bigint NOT NULL,
     type text NOT NULL,
     task_id text,
     CONSTRAINT event_audience_pkey PRIMARY KEY (account_id, sequence)
   ) PARTITION BY RANGE (sequence)`,
  'CREATE INDEX event_audience_account_id_type_sequence_idx ON event_audience (account_id, type, sequence)',
  `CREATE INDEX event_audience_account_id_task_id_sequence_idx ON event_audience (account_id, task_id, sequence)
     WHERE task_id IS NOT NULL`,
  'ALTER TABLE quotes ADD COLUMN expiry_told boolean NOT NULL DEFAULT false',
  // What expired before there was a log is not told.
  `UPDATE quotes SET expiry_told = true WHERE status = 'submitted' AND valid_until < now()`,
  `CREATE INDEX quotes_untold_valid_until_idx ON quotes (valid_until) WHERE status = 'submitted' AND NOT expiry_told`,
];

const DOWN: readonly string[] = [
  'DROP INDEX quotes_untold_valid_until_idx',
  'ALTER TABLE quotes DROP COLUMN expiry_told',
  'DROP TABLE event_audience, events, event_head, event_outbox',
];

/** The log of events: what transactions record, the ordered log, and who may read it. */
export class EventLog1700000000092 implements MigrationInterface {
  readonly name = 'EventLog1700000000092';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    const [row] = (await runner.query(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now',
    )) as { now: string }[];
    const first = BigInt(row?.now ?? 0) / PARTITION_SIZE;
    for (let index = first; index <= first + PARTITIONS_AHEAD; index += 1n) {
      const bounds = `FROM (${index * PARTITION_SIZE}) TO (${(index + 1n) * PARTITION_SIZE})`;
      for (const table of ['events', 'event_audience']) {
        await runner.query(`CREATE TABLE ${table}_${index} PARTITION OF ${table} FOR VALUES ${bounds}`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

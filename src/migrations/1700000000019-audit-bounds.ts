import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE audit_counts (
     hour timestamptz(3) NOT NULL,
     event text NOT NULL,
     source text NOT NULL,
     count bigint NOT NULL,
     first_at timestamptz(3) NOT NULL,
     last_at timestamptz(3) NOT NULL,
     last_request_id text,
     last_detail jsonb NOT NULL,
     CONSTRAINT audit_counts_pkey PRIMARY KEY (hour, event, source)
   )`,
  `CREATE INDEX audit_events_occurred_at_idx ON audit_events (occurred_at)`,
  `CREATE INDEX audit_events_anonymous_occurred_at_idx ON audit_events (occurred_at)
     WHERE account_id IS NULL AND request_id IS NOT NULL`,
  // Events younger than the shortest retention cannot be deleted by anybody, and no event can be changed.
  `DROP TRIGGER audit_events_append_only ON audit_events`,
  `CREATE FUNCTION refuse_young_audit_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.occurred_at > now() - interval '30 days' THEN
         RAISE EXCEPTION 'audit_events keeps what is younger than 30 days' USING ERRCODE = 'insufficient_privilege';
       END IF;
       RETURN OLD;
     END $$`,
  `CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON audit_events
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  `CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
     FOR EACH ROW EXECUTE FUNCTION refuse_young_audit_deletion()`,
];

const DOWN: readonly string[] = [
  'DROP TRIGGER audit_events_kept ON audit_events',
  'DROP TRIGGER audit_events_append_only ON audit_events',
  'DROP FUNCTION refuse_young_audit_deletion',
  `CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  'DROP INDEX audit_events_anonymous_occurred_at_idx',
  'DROP INDEX audit_events_occurred_at_idx',
  'DROP TABLE audit_counts',
];

/**
 * Bounds the growth of the audit record: repeated events that anybody can cause are counted, and old rows may be
 * deleted.
 */
export class AuditBounds1700000000019 implements MigrationInterface {
  readonly name = 'AuditBounds1700000000019';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

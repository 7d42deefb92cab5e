import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is said of an agent in tables that others than matching write too, and whom a row of each is about. */
const SOURCES = [
  { table: 'reputation_records', agents: 'a.id = changed.agent_id' },
  { table: 'agent_impressions', agents: 'a.id = changed.agent_id' },
  { table: 'account_clusters', agents: 'a.account_id = changed.account_id' },
] as const;

/** The rows that a statement has written, or taken away. */
const EVENTS = [
  { event: 'INSERT', rows: 'NEW' },
  { event: 'UPDATE', rows: 'NEW' },
  { event: 'DELETE', rows: 'OLD' },
] as const;

/**
 * One note for all agents of one statement. They are looked up row by row: a plan that was made for one row must not read
 * all agents, nor one that was made for many.
 */
const noting = ({ table, agents }: (typeof SOURCES)[number]): string => `CREATE FUNCTION note_${table}() RETURNS trigger
  LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO match_changes (transaction_id, kind, agent_numbers, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'facts', array_agg(found.number), now()
    FROM changed CROSS JOIN LATERAL (SELECT number FROM agents a WHERE ${agents} OFFSET 0) AS found
    HAVING count(*) > 0;
    RETURN NULL;
  END $$`;

/** Indexes in memory hear of whatever a place depends on from the database itself, whoever writes it. */
export class MatchFacts1700000000011 implements MigrationInterface {
  readonly name = 'MatchFacts1700000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE match_changes ADD COLUMN agent_numbers integer[]');
    for (const source of SOURCES) {
      await runner.query(noting(source));
      for (const { event, rows } of EVENTS) {
        await runner.query(`CREATE TRIGGER ${source.table}_noted_${event.toLowerCase()} AFTER ${event} ON ${source.table}
          REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_${source.table}()`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of SOURCES) {
      for (const { event } of EVENTS) {
        await runner.query(`DROP TRIGGER ${table}_noted_${event.toLowerCase()} ON ${table}`);
      }
      await runner.query(`DROP FUNCTION note_${table}()`);
    }
    await runner.query(`DELETE FROM match_changes WHERE kind = 'facts'`);
    await runner.query('ALTER TABLE match_changes DROP COLUMN agent_numbers');
  }
}

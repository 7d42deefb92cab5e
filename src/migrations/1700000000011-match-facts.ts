import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables that other modules write and that matching depends on, with the condition that joins a changed row to its
 * agents.
 */
const SOURCES = [
  { table: 'reputation_records', agents: 'a.id = changed.agent_id' },
  { table: 'agent_impressions', agents: 'a.id = changed.agent_id' },
  { table: 'account_clusters', agents: 'a.account_id = changed.account_id' },
] as const;

/** For each event, which row versions the trigger reads: the written ones or the deleted ones. */
const EVENTS = [
  { event: 'INSERT', rows: 'NEW' },
  { event: 'UPDATE', rows: 'NEW' },
  { event: 'DELETE', rows: 'OLD' },
] as const;

/**
 * The trigger function of one table. It writes one note for all agents of a statement. `OFFSET 0` keeps the look-up per
 * row, because a cached plan must not read all agents, whether it was made for one changed row or for many.
 */
const noting = ({ table, agents }: (typeof SOURCES)[number]): string => `CREATE FUNCTION note_${table}() RETURNS trigger
  LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO match_changes (transaction_id, kind, agent_numbers, created_at)
    SELECT pg_current_xact_id()::text::bigint, 'facts', array_agg(found.number), now()
    FROM changed CROSS JOIN LATERAL (SELECT number FROM agents a WHERE ${agents} OFFSET 0) AS found
    HAVING count(*) > 0;
    RETURN NULL;
  END $$`;

/**
 * The database itself notes every change that an agent's place in a ranking depends on, whoever makes it, so that
 * indexes in memory can follow.
 */
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

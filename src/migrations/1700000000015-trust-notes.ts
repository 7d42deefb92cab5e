import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that a trust run writes about principals, whichever agents they own. */
const TABLES = ['account_clusters', 'buyer_independence'] as const;

/** For each event, which row versions the trigger reads: the written ones or the deleted ones. */
const EVENTS = [
  { event: 'INSERT', rows: 'NEW' },
  { event: 'UPDATE', rows: 'NEW' },
  { event: 'DELETE', rows: 'OLD' },
] as const;

/**
 * The database itself notes when the clusters or the independence of principals change, so that indexes in memory can
 * follow.
 */
export class TrustNotes1700000000015 implements MigrationInterface {
  readonly name = 'TrustNotes1700000000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION note_trust() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO match_changes (transaction_id, kind, created_at)
        SELECT pg_current_xact_id()::text::bigint, 'trust', now() WHERE EXISTS (SELECT FROM changed);
        RETURN NULL;
      END $$`);
    for (const table of TABLES) {
      for (const { event, rows } of EVENTS) {
        await runner.query(`CREATE TRIGGER ${table}_trust_${event.toLowerCase()} AFTER ${event} ON ${table}
          REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_trust()`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      for (const { event } of EVENTS) {
        await runner.query(`DROP TRIGGER ${table}_trust_${event.toLowerCase()} ON ${table}`);
      }
    }
    await runner.query('DROP FUNCTION note_trust()');
    await runner.query(`DELETE FROM match_changes WHERE kind = 'trust'`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Statuses in which nobody can be hired for a task any more. */
const ENDED = `('resolved', 'cancelled', 'expired')`;

const UP: readonly string[] = [
  `DELETE FROM match_impressions USING tasks t WHERE t.id = task_id AND t.status IN ${ENDED}`,
  `CREATE FUNCTION forget_match_impressions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     DELETE FROM match_impressions WHERE task_id = NEW.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER tasks_ended_impressions AFTER UPDATE OF status ON tasks FOR EACH ROW
     WHEN (NEW.status IN ${ENDED} AND OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION forget_match_impressions()`,
];

const DOWN: readonly string[] = [
  'DROP TRIGGER tasks_ended_impressions ON tasks',
  'DROP FUNCTION forget_match_impressions()',
];

/** Keeps which agents a buyer was shown for a task only as long as one of them can still be hired for it. */
export class EndedImpressions1700000000053 implements MigrationInterface {
  readonly name = 'EndedImpressions1700000000053';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

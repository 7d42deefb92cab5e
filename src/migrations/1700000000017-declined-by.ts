import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who said no to an action. Null for those that were declined before: nobody wrote down how. */
export class DeclinedBy1700000000017 implements MigrationInterface {
  readonly name = 'DeclinedBy1700000000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE prepared_actions ADD COLUMN declined_by text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE prepared_actions DROP COLUMN declined_by');
  }
}

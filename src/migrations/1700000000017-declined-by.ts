import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores who declined an action. Null for actions declined earlier, because that was not recorded. */
export class DeclinedBy1700000000017 implements MigrationInterface {
  readonly name = 'DeclinedBy1700000000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE prepared_actions ADD COLUMN declined_by text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE prepared_actions DROP COLUMN declined_by');
  }
}

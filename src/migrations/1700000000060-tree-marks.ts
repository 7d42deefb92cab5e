import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = 'ALTER TABLE unpublished_trees ALTER COLUMN version TYPE bigint';
const DOWN = 'ALTER TABLE unpublished_trees ALTER COLUMN version TYPE integer USING (version % 2147483647)::integer';

/** A mark's version is the number of the transaction that made it: the same one never comes again. */
export class TreeMarks1700000000060 implements MigrationInterface {
  readonly name = 'TreeMarks1700000000060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

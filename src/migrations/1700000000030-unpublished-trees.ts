import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE unpublished_trees (
     task_id text PRIMARY KEY,
     block_number integer NOT NULL,
     is_apart boolean NOT NULL,
     version integer NOT NULL DEFAULT 1,
     attempts integer NOT NULL DEFAULT 0,
     reason text,
     retry_at timestamptz(3) NOT NULL,
     created_at timestamptz(3) NOT NULL
   )`,
  'CREATE INDEX unpublished_trees_retry_at_idx ON unpublished_trees (retry_at, task_id)',
  `CREATE INDEX unpublished_trees_block_number_idx ON unpublished_trees (block_number)
     WHERE attempts = 0 AND NOT is_apart`,
];

const DOWN: readonly string[] = ['DROP TABLE unpublished_trees'];

/**
 * Trees whose facts are in the index but not yet published in what the API shows: those that wait, and those that were
 * set aside.
 */
export class UnpublishedTrees1700000000030 implements MigrationInterface {
  readonly name = 'UnpublishedTrees1700000000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

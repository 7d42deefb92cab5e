import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  'ALTER TABLE unpublished_trees ALTER COLUMN version TYPE bigint',
  'ALTER TABLE evidence_changes ADD COLUMN is_record_due boolean NOT NULL DEFAULT false',
  'CREATE INDEX evidence_changes_record_due_idx ON evidence_changes (agent_id) WHERE is_record_due',
];

const DOWN: readonly string[] = [
  'DROP INDEX evidence_changes_record_due_idx',
  'ALTER TABLE evidence_changes DROP COLUMN is_record_due',
  'ALTER TABLE unpublished_trees ALTER COLUMN version TYPE integer USING (version % 2147483647)::integer',
];

/**
 * The version of a tree's mark becomes the number of the transaction that made it, because such a number never comes
 * again. The records of agents may be left due until an index that was behind has caught up.
 */
export class TreeMarks1700000000061 implements MigrationInterface {
  readonly name = 'TreeMarks1700000000061';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The new columns have defaults, so that a process of the previous release can still store rankings during a rolling
 * upgrade. Further pages of those rankings name no words.
 */
const UP: readonly string[] = [
  `ALTER TABLE match_snapshots ADD COLUMN words tsquery NOT NULL DEFAULT ''::tsquery,
     ADD COLUMN anchored boolean NOT NULL DEFAULT false`,
  `CREATE INDEX match_snapshots_task_id_account_id_expires_at_idx
     ON match_snapshots (task_id, account_id, expires_at)`,
  'DROP INDEX match_snapshots_task_id_account_id_idx',
];

const DOWN: readonly string[] = [
  'CREATE INDEX match_snapshots_task_id_account_id_idx ON match_snapshots (task_id, account_id)',
  'DROP INDEX match_snapshots_task_id_account_id_expires_at_idx',
  'ALTER TABLE match_snapshots DROP COLUMN anchored, DROP COLUMN words',
];

/** A frozen ranking stores the words that its reasons name, so that a further page is a single look-up. */
export class SnapshotWords1700000000060 implements MigrationInterface {
  readonly name = 'SnapshotWords1700000000060';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  'CREATE INDEX agents_account_id_id_idx ON agents (account_id, id)',
  'CREATE INDEX prepared_actions_open_account_id_id_idx ON prepared_actions (account_id, id) WHERE NOT is_kept',
];

const DOWN: readonly string[] = [
  'DROP INDEX prepared_actions_open_account_id_id_idx',
  'DROP INDEX agents_account_id_id_idx',
];

/**
 * Indexes in the order of the lists that show an account its own rows: all its agents, and those of its prepared actions
 * that were not executed, of which an account has few beside those that stay for good. Creating the two takes about a second
 * for several hundred thousand rows; meanwhile writers of these tables wait.
 */
export class OwnLists1700000000091 implements MigrationInterface {
  readonly name = 'OwnLists1700000000091';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the actions of an account that were not executed be counted by kind. */
export class ActionKinds1700000000024 implements MigrationInterface {
  readonly name = 'ActionKinds1700000000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX prepared_actions_open_account_id_idx');
    await runner.query(
      'CREATE INDEX prepared_actions_open_account_id_kind_idx ON prepared_actions (account_id, kind) WHERE NOT is_kept',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX prepared_actions_open_account_id_kind_idx');
    await runner.query(
      'CREATE INDEX prepared_actions_open_account_id_idx ON prepared_actions (account_id) WHERE NOT is_kept',
    );
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds actions whose transaction the chain did not know when it was handed in. */
export class HintedActions1700000000106 implements MigrationInterface {
  readonly name = 'HintedActions1700000000106';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX prepared_actions_hinted_submitted_at_idx ON prepared_actions (submitted_at)
         WHERE transaction_hash IS NOT NULL AND told_status IN ('prepared', 'opened', 'signed')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX prepared_actions_hinted_submitted_at_idx');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is handed in for a prepared action (design/interface.md §1, submitActionSignature), and what its kind remembers. */
export class ActionSubmissions1700000000003 implements MigrationInterface {
  readonly name = 'ActionSubmissions1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE prepared_actions
         ADD COLUMN details jsonb NOT NULL DEFAULT '{}',
         ADD COLUMN signature text,
         ADD COLUMN signed_at timestamptz(3),
         ADD COLUMN transaction_hash text,
         ADD COLUMN submitted_at timestamptz(3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE prepared_actions
         DROP COLUMN details, DROP COLUMN signature, DROP COLUMN signed_at,
         DROP COLUMN transaction_hash, DROP COLUMN submitted_at`,
    );
  }
}

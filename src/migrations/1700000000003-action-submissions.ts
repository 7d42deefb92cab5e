import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores what is handed in for a prepared action (docs/decisions/interface.md#operations, submitActionSignature), and
 * what the action's kind needs to remember.
 */
export class ActionSubmissions1700000000003 implements MigrationInterface {
  readonly name = 'ActionSubmissions1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE prepared_actions
         ADD COLUMN details jsonb NOT NULL DEFAULT '{}',
         ADD COLUMN valid_until timestamptz(3),
         ADD COLUMN signature text,
         ADD COLUMN signed_at timestamptz(3),
         ADD COLUMN transaction_hash text,
         ADD COLUMN submitted_at timestamptz(3)`,
    );
    await runner.query('UPDATE prepared_actions SET valid_until = expires_at');
    await runner.query('ALTER TABLE prepared_actions ALTER COLUMN valid_until SET NOT NULL');
    // Few actions are sent by hand. This partial index finds them without reading all actions of a wallet that prepares
    // often.
    await runner.query(
      `CREATE INDEX prepared_actions_sent_idx ON prepared_actions (escrow_address, wallet_address, nonce)
       WHERE transaction_hash IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX prepared_actions_sent_idx');
    await runner.query(
      `ALTER TABLE prepared_actions
         DROP COLUMN details, DROP COLUMN valid_until, DROP COLUMN signature, DROP COLUMN signed_at,
         DROP COLUMN transaction_hash, DROP COLUMN submitted_at`,
    );
  }
}

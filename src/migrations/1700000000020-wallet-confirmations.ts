import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE account_wallets ADD COLUMN unlink_at timestamptz(3)`,
  `CREATE INDEX account_wallets_unlink_at_idx ON account_wallets (unlink_at) WHERE unlink_at IS NOT NULL`,
  `ALTER TABLE wallet_challenges ADD COLUMN act text, ADD COLUMN proved_by text`,
];

const DOWN = [
  `ALTER TABLE wallet_challenges DROP COLUMN act, DROP COLUMN proved_by`,
  `DROP INDEX account_wallets_unlink_at_idx`,
  `ALTER TABLE account_wallets DROP COLUMN unlink_at`,
];

/**
 * A wallet is removed from its account a day after the removal was requested, and a message to sign can name the one
 * act that it is for.
 */
export class WalletConfirmations1700000000020 implements MigrationInterface {
  readonly name = 'WalletConfirmations1700000000020';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

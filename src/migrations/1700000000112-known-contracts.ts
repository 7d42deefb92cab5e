import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['implementation_address', 'usdc_address', 'usdc_name', 'usdc_version'];

/** Keeps what the chain has said of its contracts, so that a process can start while the chain is away. */
export class KnownContracts1700000000112 implements MigrationInterface {
  readonly name = 'KnownContracts1700000000112';

  async up(runner: QueryRunner): Promise<void> {
    const columns = COLUMNS.map((column) => `ADD COLUMN ${column} text`);
    await runner.query(`ALTER TABLE chain_identity ${columns.join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const columns = COLUMNS.map((column) => `DROP COLUMN ${column}`);
    await runner.query(`ALTER TABLE chain_identity ${columns.join(', ')}`);
  }
}

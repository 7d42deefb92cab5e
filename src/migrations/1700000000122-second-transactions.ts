import type { MigrationInterface, QueryRunner } from 'typeorm';
import { asOne } from './as-one.js';
import { makeIndexBesideTraffic } from './index-beside-traffic.js';

const HINTED = `transaction_hash IS NOT NULL AND told_status IN ('prepared', 'opened', 'signed')`;

/**
 * Remembers of each action the transaction that may take the place of the one the chain knows, and which actions wait for a
 * transaction that the chain has not answered about: those handed in lately, and those of a time when it could not be asked.
 */
export class SecondTransactions1700000000122 implements MigrationInterface {
  readonly name = 'SecondTransactions1700000000122';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await asOne(runner, async () => {
      await runner.query(
        `ALTER TABLE prepared_actions ADD COLUMN IF NOT EXISTS second_hash text,
           ADD COLUMN IF NOT EXISTS second_at timestamp(3) with time zone,
           ADD COLUMN IF NOT EXISTS is_awaited boolean NOT NULL DEFAULT false`,
      );
      await runner.query(`UPDATE prepared_actions SET is_awaited = true WHERE ${HINTED}`);
    });
    const awaited = 'prepared_actions (submitted_at, id) WHERE is_awaited';
    await makeIndexBesideTraffic(runner, 'prepared_actions_awaited_idx', awaited);
    await runner.query('DROP INDEX IF EXISTS prepared_actions_hinted_submitted_at_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX prepared_actions_awaited_idx');
    await runner.query(
      `CREATE INDEX prepared_actions_hinted_submitted_at_idx ON prepared_actions (submitted_at) WHERE ${HINTED}`,
    );
    await runner.query(
      'ALTER TABLE prepared_actions DROP COLUMN second_hash, DROP COLUMN second_at, DROP COLUMN is_awaited',
    );
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeIndexBesideTraffic } from './index-beside-traffic.js';

const DUE_AT = '(CASE WHEN signature IS NULL THEN expires_at ELSE valid_until END)';

const INDEXES: Readonly<Record<string, readonly [time: string, where: string]>> = {
  prepared_actions_due_idx: [DUE_AT, `told_status IN ('prepared', 'opened', 'signed', 'submitted')`],
  prepared_actions_hinted_submitted_at_idx: [
    'submitted_at',
    `transaction_hash IS NOT NULL AND told_status IN ('prepared', 'opened', 'signed')`,
  ],
};

/**
 * Gives both indexes the whole order of the looks, which go on behind a moment and an id: without the id, a look sorted all
 * that is due, however much stays due while the chain is away.
 */
export class LookOrder1700000000121 implements MigrationInterface {
  readonly name = 'LookOrder1700000000121';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, [time, where]] of Object.entries(INDEXES)) {
      await makeIndexBesideTraffic(runner, name, `prepared_actions (${time}, id) WHERE ${where}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, [time, where]] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON prepared_actions (${time}) WHERE ${where}`);
    }
  }
}

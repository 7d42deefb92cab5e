import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeIndexBesideTraffic } from './index-beside-traffic.js';

const DUE_AT = '(CASE WHEN signature IS NULL THEN expires_at ELSE valid_until END)';

const INDEX = 'prepared_actions_due_idx';
const OPEN = `told_status IN ('prepared', 'opened', 'signed', 'submitted')`;

/**
 * Gives the index the whole order of the looks, which go on behind a moment and an id: without the id, a look sorted all
 * that is due, however much stays due while the chain is away.
 */
export class LookOrder1700000000121 implements MigrationInterface {
  readonly name = 'LookOrder1700000000121';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await makeIndexBesideTraffic(runner, INDEX, `prepared_actions (${DUE_AT}, id) WHERE ${OPEN}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${INDEX}`);
    await runner.query(`CREATE INDEX ${INDEX} ON prepared_actions (${DUE_AT}) WHERE ${OPEN}`);
  }
}

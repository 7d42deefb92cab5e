import type { MigrationInterface, QueryRunner } from 'typeorm';
import { makeIndexBesideTraffic } from './index-beside-traffic.js';

/**
 * Finds what these tables hold about one account, which an export and an erasure ask for. Both tables grow with the
 * traffic of all accounts, and were read as a whole within the time that a statement has.
 */
export class RowsOfAccounts1700000000114 implements MigrationInterface {
  readonly name = 'RowsOfAccounts1700000000114';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await makeIndexBesideTraffic(runner, 'idempotency_records_account_id_idx', 'idempotency_records (account_id)');
    await makeIndexBesideTraffic(runner, 'audit_counts_source_idx', 'audit_counts (source)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_counts_source_idx');
    await runner.query('DROP INDEX idempotency_records_account_id_idx');
  }
}

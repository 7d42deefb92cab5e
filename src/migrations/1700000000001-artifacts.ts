import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE artifact_custody (
      account_id text NOT NULL,
      artifact_hash text NOT NULL,
      bytes bigint NOT NULL,
      media_type text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (account_id, artifact_hash),
      CONSTRAINT artifact_custody_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
  )`,
];

const DOWN: readonly string[] = ['DROP TABLE artifact_custody'];

/** Artifacts in custody. */
export class Artifacts1700000000001 implements MigrationInterface {
  readonly name = 'Artifacts1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

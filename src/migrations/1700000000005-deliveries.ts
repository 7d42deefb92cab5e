import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores why a delivery was rejected: the hash that is on the chain, and the text that the hirer gave. */
export class Deliveries1700000000005 implements MigrationInterface {
  readonly name = 'Deliveries1700000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries ADD COLUMN reason_hash text');
    await runner.query(
      `CREATE TABLE rejection_reasons (
         node_id text NOT NULL,
         reason_hash text NOT NULL,
         reason text NOT NULL,
         CONSTRAINT rejection_reasons_pkey PRIMARY KEY (node_id, reason_hash)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rejection_reasons');
    await runner.query('ALTER TABLE deliveries DROP COLUMN reason_hash');
  }
}

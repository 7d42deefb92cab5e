import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a worker's cluster has paid to a buyer's cluster, per pair: the evidence of the pair with the roles exchanged.
 */
const PAID_BACK = `SELECT buyer_cluster_id AS worker, worker_cluster_id AS buyer, sum(gross_value) AS value
  FROM buyer_evidence GROUP BY 1, 2`;

/**
 * SQL function: whether an agent waits to be counted anew. Every run empties evidence_changes and blocks fill it again,
 * and a plan made for the empty table would read all of it for each settlement. Sequential scans are therefore off.
 */
const WAITS = `CREATE FUNCTION waits_to_be_counted(agent text) RETURNS boolean LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
  BEGIN
    RETURN EXISTS (SELECT FROM evidence_changes noted WHERE noted.agent_id = agent AND noted.must_rebuild);
  END $$`;

const UP: readonly string[] = [
  WAITS,
  // Stored beside the value that it is subtracted from. Each payment back adds to it, so that nobody has to sum all
  // that a buyer was ever paid.
  `ALTER TABLE buyer_evidence ADD COLUMN returned numeric(78, 0) NOT NULL DEFAULT 0`,
  `UPDATE buyer_evidence paid SET returned = back.value FROM (${PAID_BACK}) AS back
     WHERE back.worker = paid.worker_cluster_id AND back.buyer = paid.buyer_cluster_id AND back.value <> 0`,
  // Starts empty. The row of an agent is written when it next settles, or by the next run.
  `CREATE TABLE buyer_sums (
     agent_id text PRIMARY KEY,
     career_good numeric(78, 0) NOT NULL,
     career_bad numeric(78, 0) NOT NULL,
     recent_good numeric(78, 0) NOT NULL,
     recent_bad numeric(78, 0) NOT NULL,
     independent_units numeric(78, 0) NOT NULL,
     all_units numeric(78, 0) NOT NULL,
     settled_value numeric(78, 0) NOT NULL,
     independent_value numeric(78, 0) NOT NULL,
     settlements integer NOT NULL,
     buyers integer NOT NULL,
     independent_buyers integer NOT NULL,
     pending_buyers integer NOT NULL
   )`,
];

const DOWN: readonly string[] = [
  'DROP TABLE buyer_sums',
  'ALTER TABLE buyer_evidence DROP COLUMN returned',
  'DROP FUNCTION waits_to_be_counted(text)',
];

/** Keeps the sums over all buyers of an agent that has many, so that a settlement need not read the other buyers. */
export class BuyerSums1700000000057 implements MigrationInterface {
  readonly name = 'BuyerSums1700000000057';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

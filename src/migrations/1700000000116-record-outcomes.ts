import type { MigrationInterface, QueryRunner } from 'typeorm';
import { asOne } from './as-one.js';

/** The settlements of each agent by outcome, over all buyers. */
const COUNTED = `SELECT agent_id, jsonb_object_agg(outcome, count) AS outcomes
  FROM (SELECT agent_id, key AS outcome, sum(value::integer) AS count
    FROM buyer_evidence CROSS JOIN jsonb_each_text(outcomes) GROUP BY agent_id, key) AS each
  GROUP BY agent_id`;

/** Written with the record, so that who reads it need not read what each buyer has settled. */
const ADD = `ALTER TABLE reputation_records ADD COLUMN IF NOT EXISTS outcomes jsonb NOT NULL DEFAULT '{}'`;

const COUNT: readonly string[] = [
  // Nothing that follows the records shows the outcomes, so nothing is to be made anew.
  `ALTER TABLE reputation_records DISABLE TRIGGER USER`,
  `UPDATE reputation_records known SET outcomes = counted.outcomes FROM (${COUNTED}) AS counted
     WHERE counted.agent_id = known.agent_id`,
  `ALTER TABLE reputation_records ENABLE TRIGGER USER`,
  // Trust runs forgot that these records were due: they are missing or older than the newest work.
  `INSERT INTO evidence_changes AS noted (agent_id, transaction_id, must_rebuild, is_record_due)
   SELECT agent_id, pg_current_xact_id()::text::bigint, false, true
   FROM (SELECT agent_id, max(settled_at) AS newest FROM settlements GROUP BY agent_id) AS settled
   LEFT JOIN reputation_records known USING (agent_id) WHERE known.updated_at IS DISTINCT FROM settled.newest
   ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id, is_record_due = true`,
];

/** Records say how the settled work ended, and those are made that a trust run had forgotten. */
export class RecordOutcomes1700000000116 implements MigrationInterface {
  readonly name = 'RecordOutcomes1700000000116';
  /** The column takes the table from everybody, and is there at once: nobody waits for it until all is counted. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ADD);
    await asOne(runner, async () => {
      for (const statement of COUNT) await runner.query(statement);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reputation_records DROP COLUMN outcomes');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sequencer remembers which events a block has caused; until then the outbox knows their block. */
export class OutboxBlocks1700000000104 implements MigrationInterface {
  readonly name = 'OutboxBlocks1700000000104';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE event_outbox ADD COLUMN block_number integer, ADD COLUMN block_hash text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO chain_events (block_number, block_hash, task_id, audience, event_ids)
      SELECT block_number, block_hash, task_id, audience, array_agg(event_id ORDER BY id)
      FROM event_outbox WHERE block_number IS NOT NULL GROUP BY block_number, block_hash, task_id, audience`);
    await runner.query('ALTER TABLE event_outbox DROP COLUMN block_number, DROP COLUMN block_hash');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What executed an action is found in its own tree by its nonce, so no statement asks the whole market for a hash. */
export class ActionHashes1700000000110 implements MigrationInterface {
  readonly name = 'ActionHashes1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX chain_facts_action_id_hash_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX chain_facts_action_id_hash_idx ON chain_facts (action_id_hash) WHERE (action_id_hash IS NOT NULL)',
    );
  }
}

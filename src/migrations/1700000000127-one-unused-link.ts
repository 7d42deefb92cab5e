import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of an action's second links one at most was not used yet. Two that were made at the same moment both opened it; the newer one
 * stays. Few actions have such links, so that nobody waits for the index.
 */
const UP = [
  'LOCK TABLE signing_extra_links IN SHARE ROW EXCLUSIVE MODE',
  `DELETE FROM signing_extra_links older USING signing_extra_links newer
     WHERE older.action_id = newer.action_id AND older.used_at IS NULL AND newer.used_at IS NULL
       AND (older.created_at, older.token_hash) < (newer.created_at, newer.token_hash)`,
  'CREATE UNIQUE INDEX signing_extra_links_unused_key ON signing_extra_links (action_id) WHERE used_at IS NULL',
] as const;

/** Holds each action to one second link that was not used. */
export class OneUnusedLink1700000000127 implements MigrationInterface {
  readonly name = 'OneUnusedLink1700000000127';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX signing_extra_links_unused_key');
  }
}

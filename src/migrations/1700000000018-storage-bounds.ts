import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  // Artifacts already in custody get the full time, counted from now.
  `ALTER TABLE artifact_custody
     ADD COLUMN kept_until timestamptz(3) NOT NULL DEFAULT now() + interval '14 days'`,
  `ALTER TABLE artifact_custody ALTER COLUMN kept_until DROP DEFAULT`,
  `CREATE INDEX artifact_custody_kept_until_idx ON artifact_custody (kept_until)`,
  `CREATE INDEX artifact_custody_artifact_hash_idx ON artifact_custody (artifact_hash)`,
  `CREATE INDEX deliveries_artifact_hash_idx ON deliveries (artifact_hash)`,
  // Executed actions are kept for good. The three indexes below serve to count and delete the others.
  `ALTER TABLE prepared_actions ADD COLUMN is_kept boolean NOT NULL DEFAULT false`,
  `UPDATE prepared_actions SET is_kept = true
     WHERE EXISTS (SELECT 1 FROM chain_facts fact WHERE fact.action_id_hash = prepared_actions.action_id_hash)`,
  `CREATE INDEX prepared_actions_open_account_id_idx ON prepared_actions (account_id) WHERE NOT is_kept`,
  `CREATE INDEX prepared_actions_unsigned_valid_until_idx ON prepared_actions (valid_until)
     WHERE NOT is_kept AND signature IS NULL AND transaction_hash IS NULL`,
  `CREATE INDEX prepared_actions_signed_valid_until_idx ON prepared_actions (valid_until)
     WHERE NOT is_kept AND (signature IS NOT NULL OR transaction_hash IS NOT NULL)`,
  `ALTER TABLE signing_claims DROP CONSTRAINT signing_claims_action_id_fkey,
     ADD CONSTRAINT signing_claims_action_id_fkey
       FOREIGN KEY (action_id) REFERENCES prepared_actions (id) ON DELETE CASCADE`,
  `ALTER TABLE signing_extra_links DROP CONSTRAINT signing_extra_links_action_id_fkey,
     ADD CONSTRAINT signing_extra_links_action_id_fkey
       FOREIGN KEY (action_id) REFERENCES prepared_actions (id) ON DELETE CASCADE`,
  // For tasks that are not on the chain, and for their quotes, which are deleted with them.
  `CREATE INDEX tasks_unpaid_buyer_account_id_idx ON tasks (buyer_account_id) WHERE chain_status IS NULL`,
  `CREATE INDEX tasks_unpaid_offers_until_idx ON tasks (offers_until) WHERE chain_status IS NULL`,
  `ALTER TABLE quotes DROP CONSTRAINT quotes_task_id_fkey,
     ADD CONSTRAINT quotes_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks (id) ON DELETE CASCADE`,
  `CREATE INDEX match_terms_unused_idx ON match_terms (term_id) WHERE df = 0 AND brief_df = 0`,
  // For credentials that have expired or were revoked, which are deleted after a while.
  `CREATE INDEX api_keys_ended_idx ON api_keys (least(expires_at, revoked_at))`,
  `CREATE INDEX oauth_grants_ended_idx ON oauth_grants (least(expires_at, revoked_at))`,
  `CREATE INDEX quotes_open_valid_until_idx ON quotes (valid_until) WHERE status <> 'accepted'`,
];

const DOWN: readonly string[] = [
  'DROP INDEX match_terms_unused_idx',
  'DROP INDEX oauth_grants_ended_idx',
  'DROP INDEX api_keys_ended_idx',
  'DROP INDEX quotes_open_valid_until_idx',
  `ALTER TABLE quotes DROP CONSTRAINT quotes_task_id_fkey,
     ADD CONSTRAINT quotes_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks (id)`,
  'DROP INDEX tasks_unpaid_offers_until_idx',
  'DROP INDEX tasks_unpaid_buyer_account_id_idx',
  `ALTER TABLE signing_extra_links DROP CONSTRAINT signing_extra_links_action_id_fkey,
     ADD CONSTRAINT signing_extra_links_action_id_fkey FOREIGN KEY (action_id) REFERENCES prepared_actions (id)`,
  `ALTER TABLE signing_claims DROP CONSTRAINT signing_claims_action_id_fkey,
     ADD CONSTRAINT signing_claims_action_id_fkey FOREIGN KEY (action_id) REFERENCES prepared_actions (id)`,
  'DROP INDEX prepared_actions_signed_valid_until_idx',
  'DROP INDEX prepared_actions_unsigned_valid_until_idx',
  'DROP INDEX prepared_actions_open_account_id_idx',
  'ALTER TABLE prepared_actions DROP COLUMN is_kept',
  'DROP INDEX deliveries_artifact_hash_idx',
  'DROP INDEX artifact_custody_artifact_hash_idx',
  'DROP INDEX artifact_custody_kept_until_idx',
  'ALTER TABLE artifact_custody DROP COLUMN kept_until',
];

/** Bounds what is stored for nothing: custody without a delivery, and what was prepared but never reached the chain. */
export class StorageBounds1700000000018 implements MigrationInterface {
  readonly name = 'StorageBounds1700000000018';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  // All null for older actions, because nobody recorded who asked for them, by which credential and how.
  `ALTER TABLE prepared_actions
     ADD COLUMN credential_id text,
     ADD COLUMN request json,
     ADD COLUMN opened_at timestamptz(3),
     ADD COLUMN declined_at timestamptz(3),
     ADD COLUMN renewed_by text`,
  // The single browser in which an action is open.
  `CREATE TABLE signing_claims (
     action_id text NOT NULL,
     browser_hash bytea NOT NULL,
     means text NOT NULL,
     claimed_at timestamptz(3) NOT NULL,
     CONSTRAINT signing_claims_pkey PRIMARY KEY (action_id),
     CONSTRAINT signing_claims_action_id_fkey FOREIGN KEY (action_id) REFERENCES prepared_actions (id)
   )`,
  // Additional links for another device. Each opens its action once.
  `CREATE TABLE signing_extra_links (
     token_hash bytea NOT NULL,
     action_id text NOT NULL,
     created_at timestamptz(3) NOT NULL,
     used_at timestamptz(3),
     CONSTRAINT signing_extra_links_pkey PRIMARY KEY (token_hash),
     CONSTRAINT signing_extra_links_action_id_fkey FOREIGN KEY (action_id) REFERENCES prepared_actions (id)
   )`,
  `CREATE INDEX signing_extra_links_action_id_idx ON signing_extra_links (action_id)`,
];

const DOWN: readonly string[] = [
  'DROP TABLE signing_extra_links',
  'DROP TABLE signing_claims',
  `ALTER TABLE prepared_actions
     DROP COLUMN credential_id, DROP COLUMN request, DROP COLUMN opened_at, DROP COLUMN declined_at,
     DROP COLUMN renewed_by`,
];

/**
 * The approval page: which browser has an action open, what was asked for, and what signers answer
 * (docs/decisions/interface.md#approval-page).
 */
export class Approval1700000000010 implements MigrationInterface {
  readonly name = 'Approval1700000000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

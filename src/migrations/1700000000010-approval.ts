import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  // Null throughout for actions that are older: who asked by which credential is not known of them, nor how.
  `ALTER TABLE prepared_actions
     ADD COLUMN credential_id text,
     ADD COLUMN request json,
     ADD COLUMN opened_at timestamptz(3),
     ADD COLUMN declined_at timestamptz(3),
     ADD COLUMN renewed_by text`,
  // The one browser in which an action is open.
  `CREATE TABLE signing_claims (
     action_id text NOT NULL,
     browser_hash bytea NOT NULL,
     means text NOT NULL,
     claimed_at timestamptz(3) NOT NULL,
     CONSTRAINT signing_claims_pkey PRIMARY KEY (action_id),
     CONSTRAINT signing_claims_action_id_fkey FOREIGN KEY (action_id) REFERENCES prepared_actions (id)
   )`,
  // Second links, for another device; each opens the action once.
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
 * The approval page: who has an action open, what was asked for, and what people say to it
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

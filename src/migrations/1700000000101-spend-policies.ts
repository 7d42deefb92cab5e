import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE spend_policies (
     id text NOT NULL,
     account_id text NOT NULL,
     client_id text,
     per_payment numeric(78,0),
     per_day numeric(78,0),
     in_total numeric(78,0),
     counterparties text[],
     created_at timestamptz(3) NOT NULL,
     CONSTRAINT spend_policies_pkey PRIMARY KEY (id),
     CONSTRAINT spend_policies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
   )`,
  'CREATE UNIQUE INDEX spend_policies_account_id_client_id_key ON spend_policies (account_id, client_id)',
  'ALTER TABLE api_keys ADD COLUMN spend_policy_id text',
  `ALTER TABLE api_keys ADD CONSTRAINT api_keys_spend_policy_id_fkey
     FOREIGN KEY (spend_policy_id) REFERENCES spend_policies (id)`,
  'CREATE INDEX api_keys_spend_policy_id_idx ON api_keys (spend_policy_id) WHERE spend_policy_id IS NOT NULL',
  `CREATE TABLE spend_reservations (
     action_id text NOT NULL,
     policy_id text NOT NULL,
     payment text NOT NULL,
     amount numeric(78,0) NOT NULL,
     day date NOT NULL,
     CONSTRAINT spend_reservations_pkey PRIMARY KEY (action_id),
     CONSTRAINT spend_reservations_action_id_fkey FOREIGN KEY (action_id)
       REFERENCES prepared_actions (id) ON DELETE CASCADE,
     CONSTRAINT spend_reservations_policy_id_fkey FOREIGN KEY (policy_id)
       REFERENCES spend_policies (id) ON DELETE CASCADE
   )`,
  `CREATE INDEX spend_reservations_policy_id_payment_idx ON spend_reservations (policy_id, payment)
     INCLUDE (amount, day)`,
  `CREATE TABLE spent_sums (
     policy_id text NOT NULL,
     in_total numeric(78,0) NOT NULL,
     day date NOT NULL,
     on_day numeric(78,0) NOT NULL,
     CONSTRAINT spent_sums_pkey PRIMARY KEY (policy_id),
     CONSTRAINT spent_sums_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES spend_policies (id) ON DELETE CASCADE
   )`,
];

const DOWN: readonly string[] = [
  'DROP TABLE spent_sums',
  'DROP TABLE spend_reservations',
  'ALTER TABLE api_keys DROP COLUMN spend_policy_id',
  'DROP TABLE spend_policies',
];

/** What keys and applications may have the wallet asked to pay, and what was asked and paid so far. */
export class SpendPolicies1700000000101 implements MigrationInterface {
  readonly name = 'SpendPolicies1700000000101';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

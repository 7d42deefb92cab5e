import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `CREATE TABLE webhook_endpoints (
     id text NOT NULL,
     account_id text NOT NULL,
     credential_id text,
     url text NOT NULL,
     description text,
     types text[],
     status text NOT NULL,
     disabled_reason text,
     secret_sealed bytea NOT NULL,
     previous_secret_sealed bytea,
     previous_secret_until timestamptz(3),
     position bigint NOT NULL,
     waiting integer NOT NULL DEFAULT 0,
     failed_in_a_row integer NOT NULL DEFAULT 0,
     failing_since timestamptz(3),
     missed_from bigint,
     is_slow boolean NOT NULL DEFAULT false,
     resume_at timestamptz(3) NOT NULL,
     served_at timestamptz(3) NOT NULL,
     lease_holder text,
     lease_until timestamptz(3),
     created_at timestamptz(3) NOT NULL,
     updated_at timestamptz(3) NOT NULL,
     CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
     CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
   ) WITH (fillfactor = 50)`,
  'CREATE INDEX webhook_endpoints_account_id_id_idx ON webhook_endpoints (account_id, id)',
  `CREATE TABLE webhook_retries (
     endpoint_id text NOT NULL,
     sequence bigint NOT NULL,
     event_id text NOT NULL,
     tries integer NOT NULL,
     next_at timestamptz(3),
     since timestamptz(3) NOT NULL,
     CONSTRAINT webhook_retries_pkey PRIMARY KEY (endpoint_id, sequence),
     CONSTRAINT webhook_retries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints (id) ON DELETE CASCADE
   )`,
  'CREATE INDEX webhook_retries_waiting_idx ON webhook_retries (endpoint_id, next_at) WHERE next_at IS NOT NULL',
  'CREATE INDEX webhook_retries_given_up_idx ON webhook_retries (since) WHERE next_at IS NULL',
  `CREATE TABLE webhook_attempts (
     id text NOT NULL,
     endpoint_id text NOT NULL,
     account_id text NOT NULL,
     event_id text NOT NULL,
     at timestamptz(3) NOT NULL,
     http_status integer,
     failure text,
     duration_ms integer NOT NULL,
     answer text NOT NULL,
     CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id)
   )`,
  'CREATE INDEX webhook_attempts_endpoint_id_id_idx ON webhook_attempts (endpoint_id, id)',
  'CREATE INDEX webhook_attempts_at_idx ON webhook_attempts (at)',
  'CREATE INDEX webhook_attempts_account_id_idx ON webhook_attempts (account_id)',
  `CREATE TABLE webhook_signing_keys (
     id text NOT NULL,
     public_key bytea NOT NULL,
     private_sealed bytea NOT NULL,
     created_at timestamptz(3) NOT NULL,
     CONSTRAINT webhook_signing_keys_pkey PRIMARY KEY (id)
   )`,
];

/** Where events are delivered to, what waits to be delivered again, every attempt, and the key that signs. */
export class Webhooks1700000000095 implements MigrationInterface {
  readonly name = 'Webhooks1700000000095';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_signing_keys, webhook_attempts, webhook_retries, webhook_endpoints');
  }
}

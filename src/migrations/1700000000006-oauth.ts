import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  // Records of oidc-provider. Most ids are bearer secrets, so only their hashes are stored.
  `CREATE TABLE oauth_records (
     kind text NOT NULL,
     id_hash bytea NOT NULL,
     payload jsonb NOT NULL,
     grant_id text,
     uid text,
     rotations integer NOT NULL DEFAULT 0,
     consumed_at timestamptz(3),
     created_at timestamptz(3) NOT NULL,
     expires_at timestamptz(3),
     CONSTRAINT oauth_records_pkey PRIMARY KEY (kind, id_hash)
   )`,
  // A connection that is used all day has thousands of refresh tokens, and each exchange looks up one of them by its
  // rotation.
  `CREATE INDEX oauth_records_grant_id_kind_rotations_idx ON oauth_records (grant_id, kind, rotations)
     WHERE grant_id IS NOT NULL`,
  `CREATE UNIQUE INDEX oauth_records_session_uid_key ON oauth_records (uid) WHERE kind = 'Session'`,
  `CREATE INDEX oauth_records_expires_at_idx ON oauth_records (expires_at) WHERE expires_at IS NOT NULL`,
  // What a person has allowed one application to do, in the service's own terms.
  `CREATE TABLE oauth_grants (
     id text NOT NULL,
     account_id text NOT NULL,
     client_id text NOT NULL,
     client_name text NOT NULL,
     client_host text,
     scopes text[] NOT NULL,
     funding_cap numeric(78, 0),
     created_at timestamptz(3) NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     last_used_at timestamptz(3),
     revoked_at timestamptz(3),
     CONSTRAINT oauth_grants_pkey PRIMARY KEY (id),
     CONSTRAINT oauth_grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
   )`,
  `CREATE INDEX oauth_grants_account_id_client_id_idx ON oauth_grants (account_id, client_id)`,
  `CREATE INDEX oauth_grants_client_id_idx ON oauth_grants (client_id)`,
  `CREATE TABLE oauth_signing_keys (
     id text NOT NULL,
     public_jwk jsonb NOT NULL,
     private_sealed bytea NOT NULL,
     created_at timestamptz(3) NOT NULL,
     signs_from timestamptz(3) NOT NULL,
     CONSTRAINT oauth_signing_keys_pkey PRIMARY KEY (id)
   )`,
  // Proofs of possession that were used, kept until they are too old to be accepted again.
  `CREATE TABLE dpop_proofs (
     proof_hash bytea NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     CONSTRAINT dpop_proofs_pkey PRIMARY KEY (proof_hash)
   )`,
  `CREATE INDEX dpop_proofs_expires_at_idx ON dpop_proofs (expires_at)`,
  // Wallets that have proved by a signature that they belong to the account. chain_id 0 stands for a key, which is the
  // same on every chain.
  `CREATE TABLE account_wallets (
     address text NOT NULL,
     chain_id bigint NOT NULL,
     account_id text NOT NULL,
     linked_at timestamptz(3) NOT NULL,
     CONSTRAINT account_wallets_pkey PRIMARY KEY (address, chain_id),
     CONSTRAINT account_wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
   )`,
  `CREATE INDEX account_wallets_account_id_idx ON account_wallets (account_id)`,
  `CREATE TABLE wallet_challenges (
     id text NOT NULL,
     binding_hash bytea NOT NULL,
     purpose text NOT NULL,
     address text NOT NULL,
     chain_id bigint NOT NULL,
     nonce text NOT NULL,
     request_id text NOT NULL,
     issued_at timestamptz(3) NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     consumed_at timestamptz(3),
     CONSTRAINT wallet_challenges_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX wallet_challenges_expires_at_idx ON wallet_challenges (expires_at)`,
  `CREATE TABLE browser_sessions (
     id text NOT NULL,
     token_hash bytea NOT NULL,
     account_id text NOT NULL,
     wallet_address text NOT NULL,
     user_agent text NOT NULL,
     created_at timestamptz(3) NOT NULL,
     last_seen_at timestamptz(3) NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     ended_at timestamptz(3),
     CONSTRAINT browser_sessions_pkey PRIMARY KEY (id),
     CONSTRAINT browser_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
   )`,
  `CREATE UNIQUE INDEX browser_sessions_token_hash_key ON browser_sessions (token_hash)`,
  `CREATE INDEX browser_sessions_account_id_idx ON browser_sessions (account_id)`,
  `CREATE INDEX browser_sessions_expires_at_idx ON browser_sessions (expires_at)`,
  `CREATE TABLE audit_events (
     id text NOT NULL,
     occurred_at timestamptz(3) NOT NULL,
     request_id text,
     event text NOT NULL,
     account_id text,
     client_id text,
     credential_id text,
     detail jsonb NOT NULL,
     CONSTRAINT audit_events_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX audit_events_account_id_id_idx ON audit_events (account_id, id) WHERE account_id IS NOT NULL`,
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'insufficient_privilege'; END $$`,
  `CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  // The application that prepared the action; null when an API key prepared it.
  `ALTER TABLE prepared_actions ADD COLUMN client_id text`,
  `CREATE INDEX prepared_actions_account_id_client_id_idx ON prepared_actions (account_id, client_id, id)
     WHERE client_id IS NOT NULL`,
];

const DOWN: readonly string[] = [
  `DROP INDEX prepared_actions_account_id_client_id_idx`,
  `ALTER TABLE prepared_actions DROP COLUMN client_id`,
  `DROP TABLE audit_events`,
  `DROP FUNCTION refuse_audit_change`,
  `DROP TABLE browser_sessions`,
  `DROP TABLE wallet_challenges`,
  `DROP TABLE account_wallets`,
  `DROP TABLE dpop_proofs`,
  `DROP TABLE oauth_signing_keys`,
  `DROP TABLE oauth_grants`,
  `DROP TABLE oauth_records`,
];

/** Sign-in with a wallet, applications that act for people, and the audit record of both. */
export class OAuth1700000000006 implements MigrationInterface {
  readonly name = 'OAuth1700000000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

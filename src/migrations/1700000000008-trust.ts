import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `ALTER TABLE settlements ADD COLUMN payer_wallet text, ADD COLUMN worker_wallet text`,
  `UPDATE settlements SET payer_wallet = node.hirer_wallet, worker_wallet = node.worker_wallet
     FROM escrow_nodes node WHERE node.id = settlements.node_id`,
  `ALTER TABLE settlements ALTER COLUMN payer_wallet SET NOT NULL, ALTER COLUMN worker_wallet SET NOT NULL`,
  `CREATE INDEX settlements_agent_id_payer_idx
     ON settlements (agent_id, (coalesce(payer_account_id, 'wallet_' || payer_wallet)), settled_at, node_id)`,
  `CREATE INDEX settlements_payer_idx ON settlements ((coalesce(payer_account_id, 'wallet_' || payer_wallet)))`,
  `CREATE INDEX settlements_payer_wallet_idx ON settlements (payer_wallet) WHERE payer_account_id IS NULL`,
  // Which earnings were paid out to which wallet. The copy belongs to reputation and is replaced together with its
  // tree.
  `CREATE TABLE payouts (
     task_id text NOT NULL,
     node_number integer NOT NULL,
     recipient text NOT NULL,
     worker_id text NOT NULL,
     amount numeric(78, 0) NOT NULL,
     CONSTRAINT payouts_pkey PRIMARY KEY (task_id, node_number, recipient)
   )`,
  `CREATE INDEX payouts_recipient_worker_id_idx ON payouts (recipient, worker_id)`,
  `INSERT INTO payouts (task_id, node_number, recipient, worker_id, amount)
     SELECT node.task_id, node.number, fact->>'recipient',
       coalesce(min(node.worker_account_id), 'wallet_' || min(node.worker_wallet)), sum((fact->>'amount')::numeric)
     FROM chain_facts
     JOIN escrow_nodes node ON node.task_id = chain_facts.task_id AND node.number = (fact->>'nodeId')::integer
     WHERE fact->>'type' = 'EarningsWithdrawn'
     GROUP BY node.task_id, node.number, fact->>'recipient'`,
  // How far the transfers of a wallet that received a payout have been searched for where it sent the money on.
  `CREATE TABLE payout_wallets (
     address text NOT NULL,
     scanned_to integer NOT NULL,
     is_service boolean NOT NULL DEFAULT false,
     CONSTRAINT payout_wallets_pkey PRIMARY KEY (address)
   )`,
  `CREATE INDEX payout_wallets_scanned_to_idx ON payout_wallets (scanned_to) WHERE NOT is_service`,
  `CREATE TABLE payout_transfers (
     from_address text NOT NULL,
     to_address text NOT NULL,
     amount numeric(78, 0) NOT NULL,
     CONSTRAINT payout_transfers_pkey PRIMARY KEY (from_address, to_address)
   )`,
  // Accounts that form one principal with another account. An account without a row is a cluster of its own.
  `CREATE TABLE account_clusters (
     account_id text NOT NULL,
     cluster_id text NOT NULL,
     CONSTRAINT account_clusters_pkey PRIMARY KEY (account_id)
   )`,
  `CREATE INDEX account_clusters_cluster_id_idx ON account_clusters (cluster_id)`,
  // Every cluster that had money in the market in the last finished run.
  `CREATE TABLE buyer_independence (
     cluster_id text NOT NULL,
     independence real NOT NULL,
     CONSTRAINT buyer_independence_pkey PRIMARY KEY (cluster_id)
   )`,
  `CREATE TABLE verified_buyers (
     account_id text NOT NULL,
     verified_at timestamptz(3) NOT NULL,
     note text NOT NULL DEFAULT '',
     CONSTRAINT verified_buyers_pkey PRIMARY KEY (account_id),
     CONSTRAINT verified_buyers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
   )`,
  `CREATE TABLE trust_runs (
     id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
     as_of timestamptz(3) NOT NULL,
     started_at timestamptz(3) NOT NULL,
     finished_at timestamptz(3),
     status text NOT NULL,
     phase text NOT NULL,
     principals integer,
     edges integer,
     settlements integer,
     anchors integer,
     clusters integer,
     error text,
     CONSTRAINT trust_runs_pkey PRIMARY KEY (id)
   )`,
  `CREATE INDEX trust_runs_finished_id_idx ON trust_runs (id) WHERE status = 'finished'`,
  // What one buyer cluster's settlements say about one agent: forward-decayed sums, not yet weighted by independence.
  `CREATE TABLE buyer_evidence (
     agent_id text NOT NULL,
     buyer_cluster_id text NOT NULL,
     worker_cluster_id text NOT NULL,
     career_good double precision NOT NULL,
     career_bad double precision NOT NULL,
     recent_good double precision NOT NULL,
     recent_bad double precision NOT NULL,
     gross_value numeric(78, 0) NOT NULL,
     settlements integer NOT NULL,
     outcomes jsonb NOT NULL,
     CONSTRAINT buyer_evidence_pkey PRIMARY KEY (agent_id, buyer_cluster_id)
   )`,
  `CREATE INDEX buyer_evidence_buyer_worker_idx ON buyer_evidence (buyer_cluster_id, worker_cluster_id)`,
  // Agents whose evidence has changed, in order, so that a run knows which changes came after it read the evidence.
  `CREATE TABLE evidence_changes (
     agent_id text NOT NULL,
     seq bigint NOT NULL,
     must_rebuild boolean NOT NULL,
     CONSTRAINT evidence_changes_pkey PRIMARY KEY (agent_id)
   )`,
  `CREATE INDEX evidence_changes_seq_idx ON evidence_changes (seq)`,
  `CREATE SEQUENCE evidence_changes_seq`,
  `INSERT INTO evidence_changes (agent_id, seq, must_rebuild)
     SELECT agent_id, nextval('evidence_changes_seq'), true FROM (SELECT DISTINCT agent_id FROM settlements) AS settled`,
  `ALTER TABLE reputation_records
     ADD COLUMN career_score numeric(5, 4) NOT NULL DEFAULT 0,
     ADD COLUMN recent_score numeric(5, 4) NOT NULL DEFAULT 0,
     ADD COLUMN settlements integer NOT NULL DEFAULT 0,
     ADD COLUMN independent_value numeric(78, 0) NOT NULL DEFAULT 0,
     ADD COLUMN buyers integer NOT NULL DEFAULT 0,
     ADD COLUMN independent_buyers integer NOT NULL DEFAULT 0,
     ADD COLUMN pending_buyers integer NOT NULL DEFAULT 0`,
  `UPDATE reputation_records SET career_score = score, recent_score = score,
     settlements = (SELECT count(*) FROM settlements s WHERE s.agent_id = reputation_records.agent_id)`,
];

const DOWN: readonly string[] = [
  `ALTER TABLE reputation_records
     DROP COLUMN career_score, DROP COLUMN recent_score, DROP COLUMN settlements, DROP COLUMN independent_value,
     DROP COLUMN buyers, DROP COLUMN independent_buyers, DROP COLUMN pending_buyers`,
  `DROP TABLE evidence_changes`,
  `DROP SEQUENCE evidence_changes_seq`,
  `DROP TABLE buyer_evidence`,
  `DROP TABLE trust_runs`,
  `DROP TABLE verified_buyers`,
  `DROP TABLE buyer_independence`,
  `DROP TABLE account_clusters`,
  `DROP TABLE payout_transfers`,
  `DROP TABLE payout_wallets`,
  `DROP TABLE payouts`,
  `DROP INDEX settlements_payer_wallet_idx`,
  `DROP INDEX settlements_payer_idx`,
  `DROP INDEX settlements_agent_id_payer_idx`,
  `ALTER TABLE settlements DROP COLUMN payer_wallet, DROP COLUMN worker_wallet`,
];

/**
 * Who stands behind buyers, how independent they are, and what their settlements say about agents
 * (docs/decisions/ranking.md#score, docs/decisions/ranking.md#independence).
 */
export class Trust1700000000008 implements MigrationInterface {
  readonly name = 'Trust1700000000008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUMS = ['career_good', 'career_bad', 'recent_good', 'recent_bad'] as const;

/**
 * Whether two principals have a wallet in common now. The wallets of their agents may be very many, so both are walked
 * in the order of an index, each time jumping to the other's next wallet that is not before the current one.
 */
const SHARES_WALLET = `CREATE FUNCTION shares_wallet(one text, other text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
  DECLARE
    ones text[];
    others text[];
    mine text;
    theirs text := '';
  BEGIN
    ones := ARRAY(
      SELECT wallet_address FROM accounts WHERE id = one AND wallet_address IS NOT NULL
      UNION ALL SELECT address FROM account_wallets WHERE account_id = one
      UNION ALL SELECT substr(one, 8) WHERE one LIKE 'wallet\\_%');
    others := ARRAY(
      SELECT wallet_address FROM accounts WHERE id = other AND wallet_address IS NOT NULL
      UNION ALL SELECT address FROM account_wallets WHERE account_id = other
      UNION ALL SELECT substr(other, 8) WHERE other LIKE 'wallet\\_%');
    IF ones && others
      OR EXISTS (SELECT FROM agents WHERE account_id = other AND wallet_address = ANY(ones))
      OR EXISTS (SELECT FROM agents WHERE account_id = one AND wallet_address = ANY(others))
    THEN RETURN true; END IF;
    LOOP
      SELECT min(wallet_address) INTO mine FROM agents WHERE account_id = one AND wallet_address >= theirs;
      IF mine IS NULL THEN RETURN false; END IF;
      SELECT min(wallet_address) INTO theirs FROM agents WHERE account_id = other AND wallet_address >= mine;
      IF theirs IS NULL THEN RETURN false; END IF;
      IF mine = theirs THEN RETURN true; END IF;
    END LOOP;
  END $$`;

const COUNT_ALL_ANEW = `INSERT INTO evidence_changes (agent_id, transaction_id, must_rebuild)
  SELECT agent_id, pg_current_xact_id()::text::bigint, true FROM (SELECT DISTINCT agent_id FROM settlements) AS settled
  ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id, must_rebuild = true`;

const UP: readonly string[] = [
  SHARES_WALLET,
  `DROP INDEX agents_account_id_idx`,
  `CREATE INDEX agents_account_id_wallet_address_idx ON agents (account_id, wallet_address)`,
  // Has the order in which repetitions are counted, so that only the neighbours of a settlement are read.
  `DROP INDEX settlements_agent_id_payer_idx`,
  `CREATE INDEX settlements_agent_id_payer_idx
     ON settlements (agent_id, (coalesce(payer_account_id, 'wallet_' || payer_wallet)), settled_at, node_id COLLATE "C")`,
  // The sums are whole numbers, so that adding and later subtracting a value leaves no rounding error. The next run
  // counts everything anew.
  `ALTER TABLE buyer_evidence ADD COLUMN left_out boolean NOT NULL DEFAULT false,
     ${SUMS.map((sum) => `ALTER COLUMN ${sum} TYPE numeric(78, 0) USING trunc(${sum}::numeric * 2::numeric ^ 160)`).join(', ')}`,
  // A run's snapshot tells which changes it has not seen, so no lock has to keep commits in order.
  `ALTER TABLE evidence_changes ADD COLUMN transaction_id bigint`,
  `UPDATE evidence_changes SET transaction_id = pg_current_xact_id()::text::bigint`,
  `ALTER TABLE evidence_changes ALTER COLUMN transaction_id SET NOT NULL, DROP COLUMN seq`,
  `DROP SEQUENCE evidence_changes_seq`,
  `CREATE INDEX evidence_changes_rebuilt_idx ON evidence_changes (agent_id) WHERE must_rebuild`,
  COUNT_ALL_ANEW,
];

const DOWN: readonly string[] = [
  COUNT_ALL_ANEW,
  `DROP INDEX evidence_changes_rebuilt_idx`,
  `CREATE SEQUENCE evidence_changes_seq`,
  `ALTER TABLE evidence_changes ADD COLUMN seq bigint`,
  `UPDATE evidence_changes SET seq = nextval('evidence_changes_seq')`,
  `ALTER TABLE evidence_changes ALTER COLUMN seq SET NOT NULL, DROP COLUMN transaction_id`,
  `CREATE INDEX evidence_changes_seq_idx ON evidence_changes (seq)`,
  `ALTER TABLE buyer_evidence DROP COLUMN left_out,
     ${SUMS.map((sum) => `ALTER COLUMN ${sum} TYPE double precision USING (${sum} / 2::numeric ^ 160)::float8`).join(', ')}`,
  `DROP INDEX settlements_agent_id_payer_idx`,
  `CREATE INDEX settlements_agent_id_payer_idx
     ON settlements (agent_id, (coalesce(payer_account_id, 'wallet_' || payer_wallet)), settled_at, node_id)`,
  `DROP INDEX agents_account_id_wallet_address_idx`,
  `CREATE INDEX agents_account_id_idx ON agents (account_id)`,
  `DROP FUNCTION shares_wallet(text, text)`,
];

/**
 * The evidence of a pair becomes a sum that each settlement adds to, without reading what the pair has settled before.
 */
export class PairSums1700000000034 implements MigrationInterface {
  readonly name = 'PairSums1700000000034';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

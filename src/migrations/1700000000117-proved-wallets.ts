import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a signature or the operator assigns the wallet to another account than the one that claims it. */
const isProvedByAnother = (wallet: string, account: string): string =>
  `(EXISTS (SELECT FROM account_wallets w WHERE w.address = ${wallet} AND w.account_id <> ${account})
        OR EXISTS (SELECT FROM accounts a WHERE a.wallet_address = ${wallet} AND a.id <> ${account}))`;

const owned = (principal: string): string => `ARRAY(
      SELECT wallet_address FROM accounts WHERE id = ${principal} AND wallet_address IS NOT NULL
      UNION ALL SELECT address FROM account_wallets WHERE account_id = ${principal}
      UNION ALL SELECT substr(${principal}, 8) WHERE ${principal} LIKE 'wallet\\_%')`;

/**
 * Of the wallets of `ones` and `others` each is its principal's own, so that only one of a principal without an account can
 * be claimed by somebody else; that claim counts unless a third account has proved the wallet. One equality on the index
 * finds it, however many agents the claimant has.
 */
const claimedOf = (principal: string, claimant: string): string => `(${principal} LIKE 'wallet\\_%'
        AND EXISTS (SELECT FROM agents WHERE account_id = ${claimant} AND wallet_address = substr(${principal}, 8))
        AND NOT ${isProvedByAnother(`substr(${principal}, 8)`, claimant)})`;
/** As before this migration: every claim counts. */
const claimedOfAny = (wallets: string, claimant: string): string =>
  `EXISTS (SELECT FROM agents WHERE account_id = ${claimant} AND wallet_address = ANY(${wallets}))`;

/**
 * @param claimed whether one principal claims a wallet of the other. @param counts whether a wallet counts that both claim.
 */
const sharesWallet = (claimed: readonly string[], counts: string): string =>
  `CREATE OR REPLACE FUNCTION shares_wallet(one text, other text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
  DECLARE
    ones text[];
    others text[];
    mine text;
    theirs text := '';
  BEGIN
    ones := ${owned('one')};
    others := ${owned('other')};
    IF ones && others OR ${claimed.join(' OR ')} THEN RETURN true; END IF;
    SELECT min(wallet_address) INTO mine FROM agents WHERE account_id = one;
    LOOP
      IF mine IS NULL THEN RETURN false; END IF;
      SELECT min(wallet_address) INTO theirs FROM agents WHERE account_id = other AND wallet_address >= mine;
      IF theirs IS NULL THEN RETURN false; END IF;
      IF mine = theirs THEN
        IF ${counts} THEN RETURN true; END IF;
        SELECT min(wallet_address) INTO mine FROM agents WHERE account_id = one AND wallet_address > theirs;
      ELSE
        SELECT min(wallet_address) INTO mine FROM agents WHERE account_id = one AND wallet_address >= theirs;
      END IF;
    END LOOP;
  END $$`;

const UP = sharesWallet(
  [claimedOf('one', 'other'), claimedOf('other', 'one')],
  `NOT ${isProvedByAnother('mine', 'one')} AND NOT ${isProvedByAnother('mine', 'other')}`,
);
const DOWN = sharesWallet([claimedOfAny('ones', 'other'), claimedOfAny('others', 'one')], 'true');

/** The agents of both sides of what was paid by or to those who claim a proved wallet of somebody else. */
const COUNT_ANEW = `WITH claimant AS MATERIALIZED (
    SELECT DISTINCT account_id AS id FROM agents WHERE ${isProvedByAnother('agents.wallet_address', 'agents.account_id')}
  )
  INSERT INTO evidence_changes (agent_id, transaction_id, must_rebuild)
  SELECT agent_id, pg_current_xact_id()::text::bigint, true FROM (
    SELECT agent_id FROM settlements JOIN claimant ON claimant.id = worker_account_id
    UNION SELECT agent_id FROM settlements JOIN claimant ON claimant.id = payer_account_id
  ) AS concerned
  ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id, must_rebuild = true`;

/**
 * A wallet that an account only claims, and that another has proved, makes payments between the two nobody's own. What was
 * counted otherwise is counted anew.
 */
export class ProvedWallets1700000000117 implements MigrationInterface {
  readonly name = 'ProvedWallets1700000000117';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await runner.query(COUNT_ANEW);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
    await runner.query(COUNT_ANEW);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns by which a signature or the operator assigns a wallet to an account. */
const SOURCES = [
  { table: 'account_wallets', address: 'address', account: 'account_id' },
  { table: 'accounts', address: 'wallet_address', account: 'id' },
] as const;

const UP: readonly string[] = [
  `CREATE TABLE changed_wallets (
     address text NOT NULL, account_id text NOT NULL, CONSTRAINT changed_wallets_pkey PRIMARY KEY (address, account_id))`,
  // Only a wallet that somebody else claims, or that paid while it was nobody's, makes any payment count otherwise.
  `CREATE FUNCTION note_changed_wallet(wallet text, account text) RETURNS void LANGUAGE sql AS $$
     INSERT INTO changed_wallets (address, account_id) SELECT wallet, account
     WHERE EXISTS (SELECT FROM agents WHERE wallet_address = wallet AND account_id <> account)
       OR EXISTS (SELECT FROM settlements WHERE payer_wallet = wallet AND payer_account_id IS NULL)
     ON CONFLICT DO NOTHING $$`,
  ...SOURCES.flatMap(({ table, address, account }) => [
    `CREATE FUNCTION note_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF TG_OP <> 'INSERT' THEN PERFORM note_changed_wallet(OLD.${address}, OLD.${account}); END IF;
       IF TG_OP <> 'DELETE' THEN PERFORM note_changed_wallet(NEW.${address}, NEW.${account}); END IF;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER ${table}_changed_wallet AFTER INSERT OR DELETE OR UPDATE OF ${address}, ${account} ON ${table}
       FOR EACH ROW EXECUTE FUNCTION note_${table}()`,
  ]),
];

const DOWN: readonly string[] = [
  ...SOURCES.flatMap(({ table }) => [
    `DROP TRIGGER ${table}_changed_wallet ON ${table}`,
    `DROP FUNCTION note_${table}()`,
  ]),
  'DROP FUNCTION note_changed_wallet(text, text)',
  'DROP TABLE changed_wallets',
];

/** A wallet that is proved or given up tells the next trust run to count anew what was paid between those concerned. */
export class ChangedWallets1700000000125 implements MigrationInterface {
  readonly name = 'ChangedWallets1700000000125';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

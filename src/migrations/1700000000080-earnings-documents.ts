import type { MigrationInterface, QueryRunner } from 'typeorm';

const money = (units: string): string =>
  `'"', round(${units} * 0.000001, greatest(2, min_scale(${units} * 0.000001))), '"'`;

/** A table whose rows store the JSON that is shown of their sums, and what that is made from. */
interface Rendered {
  readonly table: string;
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly document: string;
}

const OF_ACCOUNT: Rendered = {
  table: 'account_earnings',
  columns: ['pending', 'claimable', 'paid'],
  types: ['numeric', 'numeric', 'numeric'],
  document: `'{"pending":', ${money('pending')}, ',"claimable":', ${money('claimable')},
      ',"paid":', ${money('paid')}, ',"currency":"USDC"}'`,
};
const OF_TASK: Rendered = {
  table: 'task_earnings',
  columns: ['task_id', 'pending', 'claimable'],
  types: ['text', 'numeric', 'numeric'],
  document: `'{"task_id":"', task_id, '","pending":', ${money('pending')}, ',"claimable":', ${money('claimable')}, '}'`,
};

/**
 * The sums of earnings store the JSON that is shown of them, so that the answer only copies it. The functions also
 * render sums that time has changed and nobody has stored yet.
 */
export class EarningsDocuments1700000000080 implements MigrationInterface {
  readonly name = 'EarningsDocuments1700000000080';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, columns, types, document } of [OF_ACCOUNT, OF_TASK]) {
      const parameters = columns.map((column, index) => `${column} ${types[index]}`).join(', ');
      await runner.query(`CREATE FUNCTION ${table}_document(${parameters}) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT concat(${document})
      $$`);
      await runner.query(`ALTER TABLE ${table} ADD COLUMN document text`);
      // This rewrites the table once. An UPDATE of every row would leave the table twice as large.
      await runner.query(
        `ALTER TABLE ${table} ALTER COLUMN document TYPE text USING ${table}_document(${columns.join(', ')})`,
      );
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN document SET NOT NULL`);
      await runner.query(`CREATE FUNCTION ${table}_render() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.document := ${table}_document(${columns.map((column) => `NEW.${column}`).join(', ')});
          RETURN NEW;
        END $$`);
      await runner.query(`CREATE TRIGGER ${table}_rendered BEFORE INSERT OR UPDATE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${table}_render()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, types } of [OF_ACCOUNT, OF_TASK]) {
      await runner.query(`DROP TRIGGER ${table}_rendered ON ${table}`);
      await runner.query(`DROP FUNCTION ${table}_render()`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN document`);
      await runner.query(`DROP FUNCTION ${table}_document(${types.join(', ')})`);
    }
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export const text = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const money = (units: string): string =>
  `'{"amount":"', round(${units} * 0.000001, greatest(2, min_scale(${units} * 0.000001))), '","currency":"USDC"}'`;

/** A table whose rows store the JSON that a list shows of them, and the SQL expression that makes it from a row. */
interface Rendered {
  readonly table: string;
  readonly document: (row: string) => string;
}

const RECEIPTS: Rendered = {
  table: 'receipts',
  document: (row) => `concat('{"id":"', ${row}.id, '","task_id":"', ${row}.task_id, '","node_id":"', ${row}.node_id,
    '","outcome":"', ${row}.outcome, '","amount":', ${money(`${row}.amount`)},
    ',"transaction_hash":"', ${row}.transaction_hash, '","block_number":', ${row}.block_number,
    ',"created_at":"', ${text(`${row}.created_at`)}, '"}')`,
};
/** Without the members that come from other tables. */
const DELIVERIES: Rendered = {
  table: 'deliveries',
  document: (row) => `concat('{"id":"', ${row}.id, '","task_id":"', ${row}.task_id,
    '","artifact_hash":"', ${row}.artifact_hash, '","status":"', ${row}.status,
    '","created_at":"', ${text(`${row}.created_at`)}, '","node_id":"', ${row}.node_id,
    '","revision":', ${row}.revision, '}')`,
};
/** With the status stored in the row, whatever the current time makes of it. */
export const QUOTES: Rendered = {
  table: 'quotes',
  document: (row) => `concat('{"id":"', ${row}.id, '","task_id":"', ${row}.task_id, '","agent_id":"', ${row}.agent_id,
    '","price":', ${money(`${row}.price`)}, ',"deadline":"', ${text(`${row}.deadline`)}, '","status":"', ${row}.status,
    '","valid_until":"', ${text(`${row}.valid_until`)},
    '"', CASE WHEN ${row}.parent_node_number <> 0
      THEN concat(',"parent_node_id":"node_', substr(${row}.task_id, 6), '_', ${row}.parent_node_number, '"') END,
    ',"terms_hash":"', ${row}.terms_hash, '"}')`,
};
const RECORDS: Rendered = {
  table: 'reputation_records',
  document: (row) => `concat('{"agent_id":"', ${row}.agent_id, '","score":', trim_scale(${row}.score),
    ',"updated_at":"', ${text(`${row}.updated_at`)}, '","settled_value":', ${money(`${row}.settled_value`)}, '}')`,
};
/** Valid until a time limit ends what the agent's owner has stated. */
const AGENTS: Rendered = {
  table: 'agents',
  document: (row) => `agent_document(${row}.id, ${row}.name, ${row}.status, ${row}.capabilities, ${row}.created_at,
    ${row}.status = 'active' AND ${row}.available, NULL, ${row}.agent_card_url, ${row}.description)`,
};

const AGENT_DOCUMENT = `CREATE FUNCTION agent_document(id text, name text, status text, capabilities text[],
    created_at timestamptz, available boolean, available_until timestamptz, agent_card_url text, description text)
  RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat('{"id":"', id, '","name":', to_json(name), ',"status":"', status,
      '","capabilities":', to_json(capabilities), ',"created_at":"', ${text('created_at')},
      '","available":', CASE WHEN available THEN 'true' ELSE 'false' END,
      ',"available_until":"' || ${text('available_until')} || '"',
      ',"agent_card_url":', to_json(agent_card_url), ',"description":' || to_json(nullif(description, ''))::text, '}')
  $$`;

/** The function that writes the document of a row, for the trigger of the table. */
export function renderFunction(table: string, document: Rendered['document']): string {
  return `CREATE OR REPLACE FUNCTION ${table}_render() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.document := ${document('NEW')};
          RETURN NEW;
        END $$`;
}

const RENDERED = [RECEIPTS, DELIVERIES, QUOTES, RECORDS, AGENTS];

/**
 * Rows of lists store the JSON that is shown of them, so that a page only copies it. The database writes it together
 * with the row, whoever writes the row, so that the two never differ.
 */
export class ListDocuments1700000000062 implements MigrationInterface {
  readonly name = 'ListDocuments1700000000062';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(AGENT_DOCUMENT);
    for (const { table, document } of RENDERED) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN document text`);
      // This rewrites the table once. An UPDATE of every row would leave the table twice as large.
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN document TYPE text USING ${document(table)}`);
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN document SET NOT NULL`);
      await runner.query(renderFunction(table, document));
      await runner.query(`CREATE TRIGGER ${table}_rendered BEFORE INSERT OR UPDATE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${table}_render()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of RENDERED) {
      await runner.query(`DROP TRIGGER ${table}_rendered ON ${table}`);
      await runner.query(`DROP FUNCTION ${table}_render()`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN document`);
    }
    await runner.query('DROP FUNCTION agent_document');
  }
}

import pg from 'pg';
import type { DataSource } from 'typeorm';
import { APPROVAL_FACTS, KNOWN_RECEIPT } from '../../../src/modules/signing/approval/approval-facts.sql.js';
import { LOOK_UPS, READ_SETTINGS } from '../../../src/platform/database/reads/read-connections.js';
import { createMigratedDatabase } from '../../support/database.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

let dataSource: DataSource;
let client: pg.Client;
beforeAll(async () => {
  const database = await createMigratedDatabase();
  ({ dataSource } = database);
  const options = [...READ_SETTINGS, ...LOOK_UPS.settings].map((setting) => `-c ${setting}`).join(' ');
  client = new pg.Client({ connectionString: database.url, options });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await dataSource?.destroy();
});

const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];

// The service keeps a plan for as long as a connection lasts, so also one that it made while all tables were empty.
it.each([APPROVAL_FACTS, KNOWN_RECEIPT])(
  '$name is read by keys, also by a plan made for empty tables',
  async ({ text }) => {
    await client.query(`PREPARE planned AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE planned('none')`,
    );
    await client.query('DEALLOCATE planned');
    const nodes = all(rows[0]!['QUERY PLAN'][0].Plan);
    expect(nodes.map((node) => node['Node Type']).filter((type) => /Hash|Merge/.test(type))).toEqual([]);
    const tables = nodes.filter((node) => node['Relation Name'] !== undefined);
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.filter((node) => node['Index Cond'] === undefined)).toEqual([]);
  },
);

import type { DataSource } from 'typeorm';
import { APPROVAL_FACTS, KNOWN_RECEIPT } from '../../../src/modules/signing/approval/approval-facts.sql.js';
import { LOOK_UPS } from '../../../src/platform/database/reads/read-connections.js';
import { createMigratedDatabase } from '../../support/database.js';
import { planOf } from '../../support/query-plan.js';

let dataSource: DataSource;
beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
});
afterAll(() => dataSource?.destroy());

// The service keeps a plan for as long as a connection lasts, so also one that it made while all tables were empty.
it.each([
  { ...APPROVAL_FACTS, values: ['none', new Date()] },
  { ...KNOWN_RECEIPT, values: ['none'] },
])('$name is read by keys, also by a plan made for empty tables', async ({ text, values }) => {
  const { nodes } = await planOf(dataSource, text, values, LOOK_UPS.settings);
  expect(nodes.map((node) => node['Node Type']).filter((type) => /Hash|Merge/.test(type))).toEqual([]);
  const tables = nodes.filter((node) => node['Relation Name'] !== undefined);
  expect(tables.length).toBeGreaterThan(0);
  expect(tables.filter((node) => node['Index Cond'] === undefined)).toEqual([]);
});

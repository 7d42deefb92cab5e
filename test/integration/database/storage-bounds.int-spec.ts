import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createMigratedDatabase } from '../../support/database.js';
import { OWN_TABLES } from '../../support/own-tables.sql.js';

const page = readFileSync(join(__dirname, '../../../docs/storage-bounds.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([a-z_]+)`\s*\|([^|\n]*)\|([^|\n]*)\|$/gm)].map(
  ([, table = '', growth = '', bound = '']) => ({ table, growth: growth.trim(), bound: bound.trim() }),
);

let dataSource: DataSource;
beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
});
afterAll(() => dataSource?.destroy());

describe('the page about what bounds each table', () => {
  it('has a row for every table of the migrated database, and none for any other', async () => {
    const tables = await dataSource.query<{ name: string }[]>(OWN_TABLES);
    expect(tables.length).toBeGreaterThan(50);
    expect(rows.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name));
  });

  it('says of each what bounds it, and what it grows by', () => {
    expect(rows.filter(({ bound }) => bound.length < 5)).toEqual([]);
    expect(rows.filter(({ growth }) => !/^(?:\d+\.\d\d · \d+|–)$/.test(growth))).toEqual([]);
  });
});

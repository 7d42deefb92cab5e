import { DataSource } from 'typeorm';
import { entities } from '../../../src/entities.js';
import { migrations } from '../../../src/migrations.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { runPendingMigrations } from '../../../src/platform/database/run-pending-migrations.js';
import { createDatabase, createMigratedDatabase } from '../../support/database.js';

/** Tables and indexes of the schema, with their definitions. */
async function schemaOf(dataSource: DataSource): Promise<unknown> {
  return {
    columns: await dataSource.query(
      `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name <> 'schema_migrations' ORDER BY table_name, ordinal_position`,
    ),
    indexes: await dataSource.query(
      `SELECT indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND tablename <> 'schema_migrations' ORDER BY indexname`,
    ),
  };
}

describe('the migrations', () => {
  let dataSource: DataSource;
  beforeAll(async () => {
    ({ dataSource } = await createMigratedDatabase());
  });
  afterAll(() => dataSource.destroy());

  it('make exactly the tables of the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('can be taken back one by one and made again', async () => {
    const before = await schemaOf(dataSource);
    for (let step = 0; step < migrations.length; step += 1) await dataSource.undoLastMigration();
    expect(await schemaOf(dataSource)).toEqual({ columns: [], indexes: [] });
    await dataSource.runMigrations();
    expect(await schemaOf(dataSource)).toEqual(before);
  });
});

it('processes that migrate at the same moment take turns', async () => {
  const url = await createDatabase();
  const processes = Array.from(
    { length: 6 },
    () => new DataSource(dataSourceOptions(url, { entities, migrations }, 3)),
  );
  try {
    await Promise.all(processes.map((process) => process.initialize()));
    await expect(Promise.all(processes.map(runPendingMigrations))).resolves.toHaveLength(6);
    const applied = await processes[0]!.query('SELECT name FROM schema_migrations ORDER BY id');
    expect(applied).toEqual(migrations.map(({ name }) => ({ name })));
  } finally {
    await Promise.all(processes.map((process) => process.destroy()));
  }
});

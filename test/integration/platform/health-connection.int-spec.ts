import type { DataSource } from 'typeorm';
import { HealthConnection } from '../../../src/platform/health/health-connection.js';
import { createMigratedDatabase } from '../../support/database.js';
import { testEnvironment } from '../../support/test-environment.js';

let dataSource: DataSource;
let connection: HealthConnection;

beforeAll(async () => {
  const database = await createMigratedDatabase();
  ({ dataSource } = database);
  connection = new HealthConnection(testEnvironment(database.url));
});

afterAll(async () => {
  await connection?.onModuleDestroy();
  await dataSource?.destroy();
});

const cut = () =>
  dataSource.query<{ done: boolean }[]>(
    `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
     WHERE application_name = 'tasktree-health' AND datname = current_database()`,
  );

it('a connection that broke while nobody asked is opened anew: the database answers, and that is what is asked', async () => {
  await connection.check();
  for (let i = 0; i < 3; i += 1) {
    expect(await cut()).toEqual([{ done: true }]);
    await connection.check();
  }
});

it('a database that cannot be reached fails, and is asked again the next time', async () => {
  const nowhere = new HealthConnection(testEnvironment('postgres://127.0.0.1:1/none'));
  await expect(nowhere.check()).rejects.toThrow();
  await expect(nowhere.check()).rejects.toThrow();
  await nowhere.onModuleDestroy();
});

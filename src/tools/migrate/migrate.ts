import 'reflect-metadata';
import { migrations } from '../../migrations.js';
import { isDatabaseGiven, loadToolEnvironment } from '../../platform/config/tool-environment.js';
import { dataSourceOptions } from '../../platform/database/data-source.options.js';
import { runPendingMigrations } from '../../platform/database/run-pending-migrations.js';
import { unreachableDatabase } from '../../platform/database/unreachable-database.js';

/** Stands for the secret that no migration needs: the step of a deployment that migrates need not have it. */
const NO_SECRET = { APP_SECRET: 'none: migrations read no secret.' };

/** `npm run migrate`: makes the pending migrations of the database that DATABASE_URL or DATABASE_URL_FILE names. */
async function main(): Promise<void> {
  if (!isDatabaseGiven()) throw new Error('Set DATABASE_URL or DATABASE_URL_FILE: the database to migrate.');
  const { databaseUrl } = loadToolEnvironment(NO_SECRET);
  const made = await runPendingMigrations({ options: dataSourceOptions(databaseUrl, { entities: [], migrations }) });
  for (const name of made) say(name);
  say(made.length === 0 ? 'Nothing to do: the database has all migrations.' : `${made.length} migrations were made.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${unreachableDatabase(error) ?? (error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
});

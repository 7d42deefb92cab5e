import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { entities } from '../entities.js';
import { migrations } from '../migrations.js';
import { EnvironmentError } from '../platform/config/load-environment.js';
import { dataSourceOptions } from '../platform/database/data-source.options.js';
import { ApiError } from '../platform/http/api-error.js';
import { parseKeysArguments, USAGE } from './keys-arguments.js';
import { KeysCommands, type KeysResult } from './keys-commands.js';
import { keysTarget } from './keys-target.js';
import { UsageError } from './usage-error.js';

/** `npm run keys -- …`: administers API keys in the database; there is no administration over HTTP. */
async function main(args: readonly string[]): Promise<void> {
  const { command, json, dataDirectory } = parseKeysArguments(args);
  if (command.name === 'help') return print([USAGE]);
  const environment = keysTarget(dataDirectory);
  const dataSource = new DataSource(dataSourceOptions(environment.databaseUrl, { entities, migrations }, 2));
  await dataSource.initialize();
  try {
    const result: KeysResult = await new KeysCommands(dataSource, environment).run(command);
    print(json ? [JSON.stringify(result.json, null, 2)] : result.lines);
  } finally {
    await dataSource.destroy();
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** A sentence for everything that can be expected to go wrong. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof ApiError) return [error.reason, error.suggestion].filter(Boolean).join(' ');
  if (error instanceof EnvironmentError) return error.message;
  const { code } = error instanceof Error && 'code' in error ? error : { code: undefined };
  if (code === 'ECONNREFUSED')
    return 'The database does not answer at that address. Is the service (or `npm start`) running?';
  if (code === '42P01') return 'The database has no tables yet: run the migrations first.';
  return error instanceof Error ? error.message : String(error);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});

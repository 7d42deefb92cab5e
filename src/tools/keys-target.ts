import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../platform/config/environment.js';
import { isDatabaseGiven, loadToolEnvironment } from '../platform/config/tool-environment.js';
import { UsageError } from './keys-arguments.js';

/** The database to work on: the one that the environment variables name, else the local market's. */
export function keysTarget(dataDirectory: string): Environment {
  if (isDatabaseGiven()) return loadToolEnvironment();
  const marketFile = join(dataDirectory, 'local.json');
  const secretsFile = join(dataDirectory, 'secrets.json');
  if (!existsSync(marketFile) || !existsSync(secretsFile)) {
    throw new UsageError(
      `DATABASE_URL is not set, and ${dataDirectory} holds no local market. Set DATABASE_URL and APP_SECRET to those ` +
        'of the service, or run `npm start` first, or name its folder with --data-dir.',
    );
  }
  const market = readObject(marketFile);
  return loadToolEnvironment({
    DATABASE_URL: textOf(market, 'database_url', marketFile),
    CHAIN_ID: String(market.chain_id),
    APP_SECRET: textOf(readObject(secretsFile), 'app_secret', secretsFile),
  });
}

function readObject(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof value !== 'object' || value === null) throw new UsageError(`${path} is damaged.`);
  return { ...value };
}

function textOf(from: Record<string, unknown>, member: string, path: string): string {
  const value = from[member];
  if (typeof value !== 'string') throw new UsageError(`${path} has no "${member}".`);
  return value;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './usage-error.js';

/**
 * The variables of the service that runs (or ran last) in a local market's folder, for tools that were told no database.
 * Throws UsageError when the folder holds no market or its files are damaged.
 */
export function localMarketVariables(folder: string): Record<string, string> {
  const marketFile = join(folder, 'local.json');
  const secretsFile = join(folder, 'secrets.json');
  if (!existsSync(marketFile) || !existsSync(secretsFile)) {
    throw new UsageError(
      `DATABASE_URL is not set, and ${folder} holds no local market. Set the variables of the service (DATABASE_URL ` +
        'and APP_SECRET at least), or run `npm start` first, or name its folder with --data-dir.',
    );
  }
  const market = readObject(marketFile);
  return {
    DATABASE_URL: textOf(market, 'database_url', marketFile),
    RPC_URL: textOf(market, 'rpc_url', marketFile),
    ESCROW_FACTORY_ADDRESS: textOf(market, 'escrow_factory_address', marketFile),
    CHAIN_ID: String(market.chain_id),
    APP_SECRET: textOf(readObject(secretsFile), 'app_secret', secretsFile),
  };
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

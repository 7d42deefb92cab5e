import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Environment } from '../platform/config/environment.js';
import { loadEnvironment } from '../platform/config/load-environment.js';
import { isDatabaseGiven, loadToolEnvironment } from '../platform/config/tool-environment.js';

/** A fault in the command line or in what it names; its text is for the person who typed it. */
export class ReconcileUsageError extends Error {
  override readonly name = 'ReconcileUsageError';
}

export const RECONCILE_USAGE = `Compares the books and nodes of every task in the index with the storage of the contracts on the chain.

  npm run reconcile                        the service of DATABASE_URL, RPC_URL, CHAIN_ID, ESCROW_FACTORY_ADDRESS and
                                           APP_SECRET, or else the local market in .tasktree, which must be running
  npm run reconcile -- --data-dir FOLDER   the local market of that folder

One line per difference, and a summary. Exit code 0: equal, 1: there are differences, 2: it could not be compared.`;

/** Null when only help was asked for. @throws ReconcileUsageError, EnvironmentError. */
export function reconcileTarget(args: readonly string[]): Environment | null {
  const { help, 'data-dir': folder = '.tasktree' } = parsed(args);
  if (help === true) return null;
  if (isDatabaseGiven()) return loadEnvironment();
  const marketFile = join(folder, 'local.json');
  const secretsFile = join(folder, 'secrets.json');
  if (!existsSync(marketFile) || !existsSync(secretsFile)) {
    throw new ReconcileUsageError(
      `DATABASE_URL is not set, and ${folder} holds no local market. Set the variables of the service, or run ` +
        '`npm start` first, or name its folder with --data-dir.',
    );
  }
  const market = readObject(marketFile);
  return loadToolEnvironment({
    DATABASE_URL: textOf(market, 'database_url', marketFile),
    RPC_URL: textOf(market, 'rpc_url', marketFile),
    ESCROW_FACTORY_ADDRESS: textOf(market, 'escrow_factory_address', marketFile),
    CHAIN_ID: String(market.chain_id),
    APP_SECRET: textOf(readObject(secretsFile), 'app_secret', secretsFile),
  });
}

function parsed(args: readonly string[]): { help?: boolean | undefined; 'data-dir'?: string | undefined } {
  try {
    const options = { help: { type: 'boolean' }, 'data-dir': { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new ReconcileUsageError(error instanceof Error ? error.message : String(error));
  }
}

function readObject(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof value !== 'object' || value === null) throw new ReconcileUsageError(`${path} is damaged.`);
  return { ...value };
}

function textOf(from: Record<string, unknown>, member: string, path: string): string {
  const value = from[member];
  if (typeof value !== 'string') throw new ReconcileUsageError(`${path} has no "${member}".`);
  return value;
}

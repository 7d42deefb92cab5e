import { parseArgs } from 'node:util';
import type { Environment } from '../../platform/config/environment.js';
import { loadEnvironment } from '../../platform/config/load-environment.js';
import { isDatabaseGiven, loadToolEnvironment } from '../../platform/config/tool-environment.js';
import { localMarketVariables } from '../local-market-variables.js';
import { UsageError } from '../usage-error.js';

export const RECONCILE_USAGE = `Compares the books and nodes of every task in the index with the storage of the contracts on the chain.

  npm run reconcile                        the service of DATABASE_URL, RPC_URL, CHAIN_ID, ESCROW_FACTORY_ADDRESS and
                                           APP_SECRET, or else the local market in .tasktree, which must be running
  npm run reconcile -- --data-dir FOLDER   the local market of that folder

One line per difference, and a summary. Exit code 0: equal, 1: there are differences, 2: it could not be compared.`;

/** Null when only help was asked for. @throws UsageError, EnvironmentError. */
export function reconcileTarget(args: readonly string[]): Environment | null {
  const { help, 'data-dir': folder = '.tasktree' } = parsed(args);
  if (help === true) return null;
  if (isDatabaseGiven()) return loadEnvironment();
  return loadToolEnvironment(localMarketVariables(folder));
}

function parsed(args: readonly string[]): { help?: boolean | undefined; 'data-dir'?: string | undefined } {
  try {
    const options = { help: { type: 'boolean' }, 'data-dir': { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

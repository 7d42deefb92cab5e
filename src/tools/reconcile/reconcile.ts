import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { entities } from '../../entities.js';
import { migrations } from '../../migrations.js';
import { ChainTrees } from '../../modules/escrow/tree-ledger/tree-ledger-chain.js';
import { IndexedTrees } from '../../modules/escrow/tree-ledger/tree-ledger-index.js';
import { ChainClient } from '../../platform/chain/chain-client.js';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { ChainUnavailableError } from '../../platform/chain/rpc/chain-unavailable.error.js';
import { RpcEndpoint } from '../../platform/chain/rpc/rpc-endpoint.js';
import type { Environment } from '../../platform/config/environment.js';
import { dataSourceOptions } from '../../platform/database/data-source.options.js';
import { unreachableDatabase } from '../../platform/database/unreachable-database.js';
import { Clock } from '../../platform/time/clock.js';
import { RECONCILE_USAGE, reconcileTarget } from './reconcile-target.js';
import { Reconciliation, type ReconciliationSummary, summaryLine } from './reconciliation.js';
import { UsageError } from '../usage-error.js';

const DIFFERENT = 1;
const NOT_COMPARED = 2;

/** `npm run reconcile`: proves that the index and the contracts agree on every node and every base unit. */
async function main(args: readonly string[]): Promise<void> {
  const environment = reconcileTarget(args);
  if (environment === null) return say(RECONCILE_USAGE);
  const summary = await reconcile(environment);
  say(summaryLine(summary));
  if (summary.differences > 0) process.exitCode = DIFFERENT;
}

async function reconcile(environment: Environment): Promise<ReconciliationSummary> {
  const endpoint = new RpcEndpoint(environment, new Clock());
  const dataSource = new DataSource(dataSourceOptions(environment.databaseUrl, { entities, migrations }, 2));
  try {
    const client = new ChainClient(endpoint);
    const { usdcAddress } = await ChainConfig.read(client, environment);
    await dataSource.initialize();
    return await new Reconciliation(new IndexedTrees(dataSource), new ChainTrees(client, usdcAddress), say).run();
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    endpoint.onApplicationShutdown();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A sentence for everything that can be expected to go wrong. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${RECONCILE_USAGE}`;
  if (error instanceof ChainUnavailableError) return `The chain at RPC_URL cannot be asked (${error.detail}).`;
  const unreachable = unreachableDatabase(error);
  if (unreachable !== null) return `${unreachable} Is the service running?`;
  const { code } = error instanceof Error && 'code' in error ? error : { code: undefined };
  if (code === '42P01') return 'The database has no tables yet: run the migrations first.';
  return error instanceof Error ? error.message : String(error);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`Not compared: ${explain(error)}\n`);
  process.exitCode = NOT_COMPARED;
});

import 'reflect-metadata';
import { IndexerApp } from './indexer-app.js';

/** An indexer in its own process, which a spec can kill. Prints `ready` when it has started. */
async function main() {
  const { INDEX_DATABASE_URL = '', INDEX_RPC_URL = '', INDEX_FACTORY = '' } = process.env;
  await IndexerApp.open(INDEX_DATABASE_URL, {
    rpcUrl: INDEX_RPC_URL,
    escrowFactoryAddress: INDEX_FACTORY,
    indexerEnabled: true,
  });
  process.stdout.write('ready\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});

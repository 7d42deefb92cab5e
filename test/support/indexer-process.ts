import 'reflect-metadata';
import { TestService } from './test-service.js';

/** An indexer in its own process, which a spec can kill. Prints `ready` when it has started. */
async function main() {
  const { INDEX_DATABASE_URL = '', INDEX_RPC_URL = '', INDEX_FACTORY = '' } = process.env;
  await TestService.start(INDEX_DATABASE_URL, {
    rpcUrl: INDEX_RPC_URL,
    escrowFactoryAddress: INDEX_FACTORY,
    indexerEnabled: true,
    chainPollMs: 50,
  });
  process.stdout.write('ready\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});

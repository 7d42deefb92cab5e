import 'reflect-metadata';
import { LOCAL_CHAIN_ID } from './platform/config/environment.js';
import { EnvironmentError, loadEnvironment } from './platform/config/load-environment.js';
import { unknownVariables } from './platform/config/unknown-variables.js';
import { deploymentVariables } from './platform/config/variables.js';
import type { RunningServer } from './server.js';
import { holdStartSmall, releaseStart } from './start-memory.js';

const NOBODY_NAMED =
  'SECURITY_CONTACT is not set: whoever finds a hole in this deployment has nobody to tell. Set it to a mailto: or https:// URL.';

const { missing } = deploymentVariables();

if (process.argv.length > 2) {
  fail('The deployed service takes no option, its settings are variables: see `npm start -- --help`.', 2);
} else if (missing.length > 0) {
  fail(
    `The deployed service needs ${missing.join(' and ')}. ` +
      'With none of DATABASE_URL, RPC_URL and ESCROW_FACTORY_ADDRESS, `npm start` runs the local market.',
  );
} else {
  await serve();
}

/** The deployed service: one JSON line when it listens, SIGTERM and SIGINT stop it, a second signal at once. */
async function serve(): Promise<void> {
  for (const sentence of unknownVariables()) process.stderr.write(`${sentence}\n`);
  holdStartSmall();
  try {
    const environment = loadEnvironment();
    const { securityContact, chainId } = environment;
    if (securityContact === null && chainId !== LOCAL_CHAIN_ID) process.stderr.write(`${NOBODY_NAMED}\n`);
    // After the settings: an operator who corrects them one by one does not wait for two thousand modules each time.
    const { startServer } = await import('./server.js');
    const server = await startServer(environment);
    stopOnSignal(server);
    stopWhenRefused(server);
    releaseStart();
    const { url, managementUrl: management_url } = server;
    process.stdout.write(`${JSON.stringify({ url, management_url, security_contact: securityContact })}\n`);
  } catch (error) {
    fail(error instanceof EnvironmentError ? error.message : `The service does not start: ${reasonOf(error)}`);
  }
}

function stopOnSignal(server: RunningServer): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143);
    isStopping = true;
    server.drain().then(
      () => process.exit(0),
      (error: unknown) => fail(`The service did not stop cleanly: ${reasonOf(error)}`),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** As at a start with the wrong chain: one that was away then has turned out to be another. */
function stopWhenRefused(server: RunningServer): void {
  void server.refused.then(async (error) => {
    await server.close().catch(() => undefined);
    fail(`The service stops: ${reasonOf(error)}`);
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function fail(sentence: string, code = 1): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

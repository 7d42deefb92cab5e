import { fileURLToPath } from 'node:url';
import { LOCAL_CHAIN_ID } from '../local-chain/anvil.js';
import { MarketChild } from '../processes/child-process.js';
import { LocalFault, messageOf } from '../processes/local-fault.js';
import type { MarketFolder } from '../market-folder/market-folder.js';
import { BUILT_SERVICE } from './built-service.js';

export interface RunningService {
  child: MarketChild;
  url: string;
  managementUrl: string;
}

export interface ServiceParts {
  databaseUrl: string;
  rpcUrl: string;
  /** Address of the escrow factory. */
  factory: string;
  appSecret: string;
  /** URL of the test wallet; absent when there is none. */
  testWalletUrl?: string;
  port: number;
  managementPort: number;
  /** Settings of the user, such as limits or the log level. */
  extra: Readonly<Record<string, string>>;
}

const START_MS = 120_000;
/** Short, because a user waits for it and polling a local chain costs nothing. */
const POLL_MS = '200';

/** The service's environment variables, as in a deployment. They contain no wallet key. */
export function serviceVariables(parts: ServiceParts): Record<string, string> {
  return {
    CHAIN_POLL_MS: POLL_MS,
    DATABASE_POOL_SIZE: '10',
    MIGRATE_ON_START: 'true',
    DRAIN_SECONDS: '0',
    ...parts.extra,
    DATABASE_URL: parts.databaseUrl,
    RPC_URL: parts.rpcUrl,
    CHAIN_ID: String(LOCAL_CHAIN_ID),
    ESCROW_FACTORY_ADDRESS: parts.factory,
    APP_SECRET: parts.appSecret,
    ...(parts.testWalletUrl === undefined ? {} : { TEST_WALLET_URL: parts.testWalletUrl }),
    BASE_URL: `http://127.0.0.1:${parts.port}`,
    HOST: '127.0.0.1',
    PORT: String(parts.port),
    MANAGEMENT_HOST: '127.0.0.1',
    MANAGEMENT_PORT: String(parts.managementPort),
  };
}

/** Runs the built service as a separate process and waits until it listens. Throws LocalFault. */
export async function startService(
  folder: MarketFolder,
  parts: ServiceParts,
  onStart: (child: MarketChild) => void,
): Promise<RunningService> {
  const child = await MarketChild.start({
    name: 'The service',
    command: process.execPath,
    // Lists create much short-lived text: with a larger young generation the garbage collector copies less of it.
    args: ['--max-semi-space-size=32', fileURLToPath(BUILT_SERVICE)],
    // The service gets only these variables, nothing else of the caller's environment.
    env: { TZ: 'UTC', ...serviceVariables(parts) },
    logFile: folder.file('service.log'),
    stopSignal: 'SIGTERM',
  });
  onStart(child);
  const [line] = await child.output(/^\{"url":.*\}$/m, START_MS).catch((error: unknown) => {
    throw new LocalFault(`${messageOf(error)} ${lastWords(child.tail)} Its log: ${child.logFile}`);
  });
  const listening: unknown = JSON.parse(line);
  if (
    typeof listening !== 'object' ||
    listening === null ||
    !('url' in listening) ||
    !('management_url' in listening)
  ) {
    throw new LocalFault(`The service said ${line} instead of its addresses.`);
  }
  return { child, url: String(listening.url), managementUrl: String(listening.management_url) };
}

/** The last lines of output that are not JSON log lines: why the service did not start. */
function lastWords(output: string): string {
  const words = output.split('\n').filter((line) => line.trim() !== '' && !line.trimEnd().endsWith('}'));
  return words.slice(-10).join('\n  ');
}

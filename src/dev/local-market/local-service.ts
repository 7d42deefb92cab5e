import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LOCAL_CHAIN_ID } from '../local-chain/anvil.js';
import { MarketChild } from '../processes/child-process.js';
import { LocalFault, messageOf } from '../processes/local-fault.js';
import type { MarketFolder } from '../market-folder/market-folder.js';

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
  /** Where the test wallet is; absent: there is none. */
  testWalletUrl?: string;
  port: number;
  managementPort: number;
  /** Settings of the person who starts the market, such as limits or the log level. */
  extra: Readonly<Record<string, string>>;
}

const START_MS = 120_000;
/** A person waits for the chain here; a local look at it costs nothing. */
const POLL_MS = '200';

/** The service's configuration, exactly as a deployment would give it: through variables, without any wallet's key. */
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

/** Runs the service as a process of its own, the way it ships, and waits until it listens. Throws LocalFault. */
export async function startService(
  folder: MarketFolder,
  parts: ServiceParts,
  onStart: (child: MarketChild) => void,
): Promise<RunningService> {
  const child = await MarketChild.start({
    name: 'The service',
    command: process.execPath,
    // Short-lived text is most of what a list makes: with room for it, less of it is ever moved.
    args: ['--max-semi-space-size=32', '--enable-source-maps', mainFile()],
    // Nothing of the caller's environment: what is not named here the service does not know.
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

/** What it said last that is no line of its JSON log: the sentence for which it did not start. */
function lastWords(output: string): string {
  const words = output.split('\n').filter((line) => line.trim() !== '' && !line.trimEnd().endsWith('}'));
  return words.slice(-10).join('\n  ');
}

/** The built entry file beside this one. */
function mainFile(): string {
  return createRequire(import.meta.url).resolve(fileURLToPath(new URL('../../main.js', import.meta.url)));
}

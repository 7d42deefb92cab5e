import { existsSync } from 'node:fs';
import { LOCAL_CHAIN_ID } from '../local-chain/anvil.js';
import { FolderLock } from '../market-folder/folder-lock.js';
import type { MarketChild } from '../processes/child-process.js';
import { apiPort } from '../processes/free-port.js';
import { type LocalFile, readLocalFile, writeLocalFile } from '../market-folder/local-file.js';
import { LocalFault, systemCode } from '../processes/local-fault.js';
import { rememberedPorts, rememberPorts } from '../market-folder/local-ports.js';
import { localSecrets } from '../market-folder/local-secrets.js';
import type { LocalSettings } from './local-settings.js';
import { MarketFolder } from '../market-folder/market-folder.js';
import { MarketParts } from './market-parts.js';
import { marketTasks } from './market-view.js';
import type { Progress } from '../processes/progress.js';

/** A running local market. */
export interface LocalMarket {
  file: LocalFile;
  /** Path of `file`. */
  localFile: string;
  /** Process id of the service. */
  servicePid: number;
  parts: MarketParts;
}

const DAY_SECONDS = 86_400;
/** The sample market's history and a day for its preparation. */
const CHAIN_AGE_DAYS = 61;

/**
 * Starts the whole local market in its folder, makes the sample market at the first start, and writes `local.json`.
 * When it rejects (with LocalFault for a known fault), nothing is left running. `onParts` gets the processes as soon as
 * there may be any, so that a Ctrl-C during the start can stop them.
 */
export async function startLocalMarket(
  settings: LocalSettings,
  progress: Progress,
  onParts: (parts: MarketParts) => void = () => undefined,
): Promise<LocalMarket> {
  const folder = new MarketFolder(settings.directory);
  folder.create();
  const lock = await FolderLock.take(folder, (text) => progress.note(text));
  const parts = new MarketParts(folder, lock, progress);
  onParts(parts);
  try {
    return await run(settings, folder, parts, progress);
  } catch (error) {
    const ended = error instanceof LocalFault ? null : await parts.endedByItself();
    await parts.stop();
    throw inWords(error, folder, ended);
  }
}

async function run(
  settings: LocalSettings,
  folder: MarketFolder,
  parts: MarketParts,
  progress: Progress,
): Promise<LocalMarket> {
  const known = prepare(settings, folder, progress);
  // Fails at once when the port that the person has asked for is taken.
  if (settings.port !== null) await apiPort(settings.port);
  const secrets = localSecrets(folder);
  const ports = await rememberedPorts(folder);
  const opens = Math.floor(Date.now() / 1000);
  const [postgres, { chain, contracts }] = await Promise.all([
    parts.postgres(secrets, settings.postgres),
    parts.chain(opens - CHAIN_AGE_DAYS * DAY_SECONDS, ports.chain).then(async (started) => ({
      chain: started,
      contracts: await parts.contracts(
        started.rpcUrl,
        known && { usdc: known.usdc_address, factory: known.escrow_factory_address },
      ),
    })),
    // Read from disk while the other parts start; only the first start needs it.
    known ? null : import('../sample-market/sample-market.js'),
  ]);
  const wallet = await parts.testWallet(chain.rpcUrl, () => readLocalFile(folder)?.accounts ?? []);
  const service = await parts.service(
    settings.port,
    {
      databaseUrl: postgres.url,
      rpcUrl: chain.rpcUrl,
      factory: contracts.factory,
      appSecret: secrets.app_secret,
      testWalletUrl: wallet.url,
      extra: { ...settings.service, ARTIFACT_DIR: folder.file('artifacts') },
    },
    ports.health,
  );
  rememberPorts(folder, { chain: chain.port, health: Number(new URL(service.managementUrl).port) });
  const accounts =
    known?.accounts ??
    (await Promise.race([seed(service.variables, chain.rpcUrl, contracts, opens, progress), failureOf(parts)]));
  const file: LocalFile = {
    base_url: service.url,
    management_url: service.managementUrl,
    rpc_url: chain.rpcUrl,
    chain_id: LOCAL_CHAIN_ID,
    usdc_address: contracts.usdc,
    escrow_factory_address: contracts.factory,
    database_url: postgres.url,
    accounts,
    tasks: await Promise.race([
      marketTasks(service.url, accounts, (text) => progress.note(text)),
      // Ends the wait for the service's rate limits when Ctrl-C stops the service.
      failureOf(parts),
    ]),
  };
  writeLocalFile(folder, file);
  folder.markFinished();
  return { file, localFile: folder.localFile, servicePid: service.child.identity.pid, parts };
}

/**
 * Returns the market of an earlier start, or null when a new one must be made. Throws LocalFault when parts of the
 * earlier market are missing.
 */
function prepare(settings: LocalSettings, folder: MarketFolder, progress: Progress): LocalFile | null {
  if (settings.reset) folder.clear();
  if (folder.isUnfinished) {
    progress.note('The last first start was interrupted: beginning again with an empty market');
    folder.clear();
  }
  const known = readLocalFile(folder);
  const hasData = existsSync(folder.postgres) || existsSync(folder.chainState);
  if (!known && hasData) {
    throw new LocalFault(
      `${folder.path} holds a market's data, but ${folder.localFile} with its keys is missing. Put it back, or begin with an ` +
        `empty market: \`${folder.reset}\`.`,
    );
  }
  if (known && !existsSync(folder.chainState)) {
    throw new LocalFault(
      `The market's chain (${folder.chainState}) is missing. Begin with an empty market: \`${folder.reset}\`.`,
    );
  }
  if (!known) folder.markUnfinished();
  return known;
}

async function seed(
  variables: Readonly<Record<string, string>>,
  rpcUrl: string,
  contracts: { usdc: string; factory: string },
  opens: number,
  progress: Progress,
): Promise<LocalFile['accounts']> {
  const sample = await progress.part(
    'Sample data',
    async () => {
      const { seedSampleMarket } = await import('../sample-market/sample-market.js');
      return seedSampleMarket(variables, rpcUrl, contracts, opens);
    },
    ({ accounts, tasks, transactions }) =>
      `${accounts.length} accounts, ${accounts.flatMap(({ agents }) => agents).length} agents, ${tasks} tasks, ${transactions} transactions`,
  );
  return sample.accounts;
}

/** Rejects when a part of the market ends by itself. */
async function failureOf(parts: MarketParts): Promise<never> {
  const child = await parts.firstEnd();
  throw new LocalFault(`${child.name} stopped while the market was started. Its log: ${child.logFile}`);
}

/**
 * Turns disk errors, and the end of a part, into a LocalFault with a clear sentence. Returns any other error unchanged.
 */
function inWords(error: unknown, folder: MarketFolder, ended: MarketChild | null): unknown {
  if (ended !== null) {
    return new LocalFault(`${ended.name} cannot be reached: it stopped by itself. Its log: ${ended.logFile}`);
  }
  switch (systemCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new LocalFault(
        `This user may not write everywhere in ${folder.path} (${String(error)}). Give it the folder, or choose another one: ` +
          '`npm start -- --data-dir /tmp/tasktree`.',
      );
    case 'ENOSPC':
      return new LocalFault(`The disk under ${folder.path} is full: make room (about 200 MB), then start again.`);
    default:
      return error;
  }
}

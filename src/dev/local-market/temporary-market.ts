import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localSecrets } from '../market-folder/local-secrets.js';
import { serviceVariables } from './local-service.js';
import type { LocalSettings } from './local-settings.js';
import type { ServedMarket } from './market-parts.js';
import { MarketFolder } from '../market-folder/market-folder.js';
import type { Progress } from '../processes/progress.js';
import { type LocalMarket, startLocalMarket } from './start-local-market.js';
import { stopOnSignals } from '../processes/stop-signals.js';

/** A local market that leaves nothing behind. */
export interface TemporaryMarket extends LocalMarket {
  folder: MarketFolder;
  /** Stops its processes and deletes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a local market in a temporary folder. A signal to this process stops the market and ends the process with 1.
 * When it rejects (with LocalFault for a known fault), nothing is left behind.
 * @param name purpose of the market, used in its folder's name.
 */
export async function startTemporaryMarket(
  name: string,
  settings: Pick<LocalSettings, 'service' | 'postgres'>,
  progress: Progress,
): Promise<TemporaryMarket> {
  const folder = new MarketFolder(mkdtempSync(join(tmpdir(), `tasktree-${name}-`)));
  // Another user, as which Postgres may have to run, must be able to pass this folder. Secret files have their own
  // permissions.
  chmodSync(folder.path, 0o711);
  const removed = (): void => folder.remove();
  // The usual port is left to a market that a person starts. With 0 the service takes a free port itself; a port chosen
  // here could be taken before the service listens on it.
  const own = { ...settings, directory: folder.path, port: 0, reset: false };
  try {
    const market = await startLocalMarket(own, progress, (parts) => stopOnSignals(() => parts.stop().finally(removed)));
    return { ...market, folder, stop: () => market.parts.stop().finally(removed) };
  } catch (error) {
    removed();
    throw error;
  }
}

/** Starts another process of the service beside the market's own, which alone follows the chain and migrates. */
export function serviceBeside(
  { file, parts, folder }: TemporaryMarket,
  extra: Readonly<Record<string, string>>,
): Promise<ServedMarket> {
  return parts.service(null, {
    databaseUrl: file.database_url,
    rpcUrl: file.rpc_url,
    factory: file.escrow_factory_address,
    appSecret: localSecrets(folder).app_secret,
    extra: { ...extra, MIGRATE_ON_START: 'false', INDEXER_ENABLED: 'false' },
  });
}

/** Environment variables of the running service, with which the service's own code can make accounts and keys. */
export function variablesOf({ file, folder }: TemporaryMarket): Record<string, string> {
  return serviceVariables({
    databaseUrl: file.database_url,
    rpcUrl: file.rpc_url,
    factory: file.escrow_factory_address,
    appSecret: localSecrets(folder).app_secret,
    port: Number(new URL(file.base_url).port),
    managementPort: Number(new URL(file.management_url).port),
    extra: { ARTIFACT_DIR: folder.file('artifacts') },
  });
}

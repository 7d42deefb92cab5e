import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalFile, readLocalFile } from '../local-file.js';
import type { LocalSettings } from '../local-settings.js';
import { MarketFolder } from '../market-folder.js';
import { Progress } from '../progress.js';
import { startLocalMarket } from '../start-local-market.js';

/** The market that the demo plays in. */
export interface DemoMarket {
  file: LocalFile;
  /** Where its files are. */
  folder: string;
  /** Stops what the demo has started; a market that was running before goes on. */
  stop(): Promise<void>;
}

const ANSWER_MS = 2_000;

/** The market that runs in the folder, or one of the demo's own in a temporary folder, which `stop` deletes. */
export async function demoMarket(
  settings: LocalSettings,
  write: (line: string) => void,
  colour: boolean,
): Promise<DemoMarket> {
  const folder = new MarketFolder(settings.directory);
  const running = readLocalFile(folder);
  if (running && (await answers(running))) {
    write(`  Playing in the market that runs at ${running.base_url}`);
    return { file: running, folder: folder.path, stop: () => Promise.resolve() };
  }
  const temporary = new MarketFolder(mkdtempSync(join(tmpdir(), 'tasktree-demo-')));
  write('  No market is running here: starting one for this demo');
  // Postgres may have to run as another user, who must get through; what is secret in there is closed by itself.
  chmodSync(temporary.path, 0o711);
  const removed = (): void => temporary.remove();
  try {
    const own = { ...settings, directory: temporary.path, port: null, reset: false };
    const { file, parts } = await startLocalMarket(own, new Progress(write, colour), (started) =>
      stopOnSignals(() => started.stop().finally(removed)),
    );
    const stop = (): Promise<void> => parts.stop().finally(removed);
    return { file, folder: temporary.path, stop };
  } catch (error) {
    removed();
    throw error;
  }
}

/** True when the market of this file is up: it accepts the file's own key. */
async function answers({ base_url, accounts }: LocalFile): Promise<boolean> {
  try {
    const headers = { 'X-Api-Key': accounts[0]?.keys.read ?? '' };
    const { status } = await fetch(`${base_url}/v1/tasks?limit=1`, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    return status === 200;
  } catch {
    return false;
  }
}

function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
}

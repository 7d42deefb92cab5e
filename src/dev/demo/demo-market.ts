import { type LocalFile, readLocalFile } from '../local-file.js';
import type { LocalSettings } from '../local-settings.js';
import { MarketFolder } from '../market-folder.js';
import { Progress } from '../progress.js';
import { startTemporaryMarket } from '../temporary-market.js';

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
  write('  No market is running here: starting one for this demo');
  const own = await startTemporaryMarket('demo', settings, new Progress(write, colour));
  return { file: own.file, folder: own.folder.path, stop: () => own.stop() };
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

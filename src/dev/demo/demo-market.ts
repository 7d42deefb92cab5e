import { type LocalFile, readLocalFile } from '../market-folder/local-file.js';
import { LocalFault } from '../processes/local-fault.js';
import { MarketFolder } from '../market-folder/market-folder.js';
import { Progress } from '../processes/progress.js';
import { startTemporaryMarket } from '../local-market/temporary-market.js';
import type { DemoSettings } from './demo-settings.js';

/** The market that the demo plays in. */
export interface DemoMarket {
  file: LocalFile;
  /** Folder of the market's files. */
  folder: string;
  /** Sentence that tells the person what the moved clock means for their own market. */
  afterwards: string;
  /** Stops what the demo has started; a market that was running before goes on. */
  stop(): Promise<void>;
}

const ANSWER_MS = 2_000;

/**
 * Starts a market in a temporary folder, which `stop` deletes. With `here`, returns the market that runs in that folder
 * instead, and throws LocalFault when none runs there.
 */
export async function demoMarket(
  { here, service }: DemoSettings,
  write: (line: string) => void,
  colour: boolean,
): Promise<DemoMarket> {
  if (here !== null) return runningMarket(new MarketFolder(here), write);
  write('  Starting a market for this demo alone (`npm run demo -- --here` plays in the one that runs)');
  const own = await startTemporaryMarket('demo', { service, postgres: {} }, new Progress(write, colour));
  const afterwards = 'this market was made for the demo and ends with it. Yours, if one runs, is as it was.';
  return { file: own.file, folder: own.folder.path, afterwards, stop: () => own.stop() };
}

async function runningMarket(folder: MarketFolder, write: (line: string) => void): Promise<DemoMarket> {
  const running = readLocalFile(folder);
  if (!running || !(await answers(running))) {
    throw new LocalFault(
      `No market runs in ${folder.path}: start it (\`npm start\`), or leave --here away; then the demo starts its own.`,
    );
  }
  write(`  Playing in the market that runs at ${running.base_url}`);
  const afterwards = 'the service follows it, and the market goes on from there.';
  return { file: running, folder: folder.path, afterwards, stop: () => Promise.resolve() };
}

/** True when the market of this file is up and accepts the file's API key. */
async function answers({ base_url, accounts }: LocalFile): Promise<boolean> {
  try {
    const headers = { 'X-Api-Key': accounts[0]?.keys.read ?? '' };
    const { status } = await fetch(`${base_url}/v1/tasks?limit=1`, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    // A market that answers 429 is up, too: the demo waits for the limit.
    return status === 200 || status === 429;
  } catch {
    return false;
  }
}

import type { LocalFile } from '../market-folder/local-file.js';
import { unknownVariables } from '../../platform/config/unknown-variables.js';
import { exitCodeOf, LocalFault } from '../processes/local-fault.js';
import { ignoredVariables, localSettings } from './local-settings.js';
import type { MarketParts } from './market-parts.js';
import { Progress } from '../processes/progress.js';
import { startLocalMarket } from './start-local-market.js';
import { STOP_SIGNALS } from '../processes/stop-signals.js';

/**
 * `npm start` without configuration: runs the whole market on this machine until Ctrl-C. Exits the process: with 0
 * after Ctrl-C, 2 after a wrong command line, and 1 with a sentence after another error.
 */
export async function runLocalMarket(
  args: readonly string[] = process.argv.slice(2),
  variables: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const { stdout } = process;
  const write = (line: string): void => void stdout.write(`${line}\n`);
  const progress = new Progress(write, stdout.isTTY && !variables.NO_COLOR);
  const started: MarketParts[] = [];
  let isAsked = false;
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        isAsked = true;
        resolve();
        for (const parts of started) void parts.stop();
      });
    }
  });
  let code = 0;
  try {
    progress.line('Tasktree · a local market on this machine · no real money · Ctrl-C stops everything');
    progress.line();
    const settings = localSettings(args, variables);
    warn(variables, progress);
    const market = await startLocalMarket(settings, progress, (parts) => started.push(parts));
    present(market.file, market.localFile, progress);
    const failed = await Promise.race([stopRequested, market.parts.firstEnd()]);
    if (failed) {
      progress.line(`${failed.name} stopped by itself; stopping the market. Its log: ${failed.logFile}`);
      code = 1;
    } else {
      progress.line('Stopping …');
    }
    await market.parts.stop();
    progress.line('Everything is stopped; the data is kept for the next start.');
  } catch (error) {
    // An error caused by Ctrl-C does not count.
    code = isAsked ? 0 : exitCodeOf(error);
    process.stderr.write(`\n  ${isAsked ? 'Stopped before it was ready.' : explain(error)}\n`);
  }
  process.exit(code);
}

/** Names variables that have no effect here, so that nobody expects one. */
function warn(variables: NodeJS.ProcessEnv, progress: Progress): void {
  for (const name of ignoredVariables(variables)) {
    progress.note(`${name} is set, and the local market does not use it: it configures a deployed service.`);
  }
  for (const sentence of unknownVariables(variables)) progress.note(sentence);
}

function explain(error: unknown): string {
  if (error instanceof LocalFault) return error.message;
  return `The local market could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** Prints the addresses, a key of each scope and a first request to copy. */
function present(
  { base_url, management_url, rpc_url, accounts, tasks }: LocalFile,
  localFile: string,
  progress: Progress,
): void {
  const buyer = accounts.find(({ agents }) => agents.length === 0);
  const owner = accounts.find(({ agents }) => agents.length > 0);
  progress.line();
  progress.line(`Serving after ${(progress.elapsedMs / 1000).toFixed(1)} s`);
  progress.line();
  progress.line(`API          ${base_url}        (to read: ${base_url}/docs)`);
  progress.line(`Health       ${management_url}/health/ready`);
  progress.line(`Chain        ${rpc_url}`);
  progress.line(`All keys     ${localFile}`);
  progress.line();
  if (!buyer || !owner) return;
  progress.line(`read         ${buyer.keys.read}   ${buyer.name}, a buyer`);
  progress.line(`buyer        ${buyer.keys.buyer}   ${buyer.name}`);
  progress.line(
    `worker       ${owner.keys.worker}   ${owner.name}, owner of ${owner.agents.map(({ name }) => name).join(' and ')}`,
  );
  progress.line(`agent-owner  ${owner.keys['agent-owner']}   ${owner.name}`);
  progress.line();
  progress.line(`The first request (${tasks.length} tasks are there):`);
  progress.line(`  curl -s -H 'X-Api-Key: ${buyer.keys.read}' '${base_url}/v1/tasks?limit=3'`);
  progress.line('A task played through, with wallets that sign:  npm run demo');
  progress.line();
}

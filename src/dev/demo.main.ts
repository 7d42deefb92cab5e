import { DemoStory } from './demo/demo-story.js';
import { demoMarket } from './demo/demo-market.js';
import { DemoMismatch, Teller } from './demo/teller.js';
import { LocalChain } from './local-chain.js';
import { LocalFault } from './local-fault.js';
import { localSettings } from './local-settings.js';
import { Backstage } from './market/backstage.js';

const { stdout, stderr } = process;

/** `npm run demo [-- --ci] [--data-dir FOLDER]`: one task played through on a real chain; exits 0 when the books close. */
async function demo(): Promise<void> {
  const args = process.argv.slice(2);
  const colour = stdout.isTTY && !process.env.NO_COLOR && !args.includes('--ci');
  const write = (line: string): void => void stdout.write(`${line}\n`);
  write('\n  tasktree demo · nothing here is real money\n');
  const teller = new Teller(write, colour);
  const settings = localSettings(
    args.filter((arg) => arg !== '--ci'),
    process.env,
  );
  const market = await demoMarket(settings, write, colour);
  const chain = new LocalChain(market.file.rpc_url);
  try {
    const backstage = await Backstage.open(market.variables);
    try {
      write(
        '\n  Steps marked * act through the service’s own code and contract bindings: their HTTP operation comes with a',
      );
      write('  later release. All others are plain HTTP requests with an API key.\n');
      await DemoStory.play(market.file, backstage, chain, teller);
    } finally {
      await backstage.close();
    }
  } finally {
    chain.close();
    await market.stop();
  }
  teller.line(`Done in ${teller.seconds} s.`);
  teller.line();
}

function explain(error: unknown): string {
  if (error instanceof DemoMismatch || error instanceof LocalFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await demo();
} catch (error) {
  stderr.write(`\n  The demo failed: ${explain(error)}\n`);
  process.exitCode = 1;
}
// Whatever library still holds a timer must not keep the terminal.
process.exit();

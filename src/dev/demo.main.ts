import { demoMarket } from './demo/demo-market.js';
import { DemoStage } from './demo/demo-stage.js';
import { playDemo } from './demo/demo-story.js';
import { DemoMismatch, Teller } from './demo/teller.js';
import { LocalChain } from './local-chain.js';
import { LocalFault } from './local-fault.js';
import { localSettings } from './local-settings.js';

const { stdout, stderr } = process;

/** `npm run demo [-- --ci] [--data-dir FOLDER]`: two tasks played through by HTTP on a real chain; exits 0 when the books close. */
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
    write(
      '\n  Every step is an HTTP request with an API key, and what it prepares is checked, signed and sent by wallets of',
    );
    write(
      '  this program. Steps marked * go past HTTP: the arbiter calls the contract itself, and the clock is moved.',
    );
    await playDemo(new DemoStage(market.file, chain, teller), market.folder);
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

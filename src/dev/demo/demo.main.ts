import { type Approval, byProgram, DemoQuit } from './approval/approval.js';
import { browserApproval } from './approval/browser-approval.js';
import { demoMarket } from './demo-market.js';
import { DEMO_USAGE, demoSettings } from './demo-settings.js';
import { DemoContext } from './scenarios/demo-context.js';
import { runDemo } from './scenarios/demo-scenarios.js';
import { DemoMismatch, StepReporter } from './parties/step-reporter.js';
import { TerminalApproval } from './approval/terminal-approval.js';
import { LocalChain } from '../local-chain/local-chain.js';
import { CallFault, exitCodeOf, LocalFault } from '../processes/local-fault.js';

const { stdin, stdout, stderr } = process;

/**
 * `npm run demo [-- --ci] [--here [--data-dir FOLDER]]`: plays two tasks to their ends with `tasktree` on a real chain. Exits
 * 0 when the books close. At a terminal it waits at one step for the person to sign on the approval page.
 */
async function demo(): Promise<void> {
  const settings = demoSettings(process.argv.slice(2), process.env);
  const isAttended = stdout.isTTY && stdin.isTTY && !settings.ci;
  const colour = stdout.isTTY && !process.env.NO_COLOR && !settings.ci;
  const write = (line: string): void => void stdout.write(`${line}\n`);
  if (settings.help) return write(DEMO_USAGE);
  write('\n  tasktree demo · nothing here is real money\n');
  const reporter = new StepReporter(write, colour);
  const market = await demoMarket(settings, write, colour);
  const chain = new LocalChain(market.file.rpc_url);
  try {
    write(
      '\n  Every step is a command line of tasktree; whose API keys it uses and who signs is in its environment (TASKTREE_URL,',
    );
    write(
      '  TASKTREE_READ_KEY …). Steps marked * go past it: the arbiter calls the contract itself, and the clock is moved.',
    );
    const approval = isAttended ? new TerminalApproval(reporter, stdin) : await unattended(reporter);
    await runDemo(DemoContext.open(market, chain, reporter, approval));
  } finally {
    chain.close();
    await market.stop();
  }
  reporter.line(`Done in ${reporter.seconds} s.`);
  reporter.line();
}

/**
 * Returns who signs when no person is present: a headless browser on the real page or, without a Chromium, the demo
 * itself.
 */
async function unattended(reporter: StepReporter): Promise<Approval> {
  const approval = await browserApproval(reporter);
  if (approval !== null) return approval;
  reporter.line(
    'There is no Chromium here (CHROMIUM_PATH names one), so the approval page is left out: the demo checks and',
  );
  reporter.line('signs that action by itself.');
  return byProgram;
}

function explain(error: unknown): string {
  if (error instanceof DemoMismatch || error instanceof LocalFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await demo();
} catch (error) {
  if (error instanceof DemoQuit) {
    stdout.write('\n  Stopped; nothing was signed at this step.\n');
  } else {
    stderr.write(error instanceof CallFault ? `${error.message}\n` : `\n  The demo failed: ${explain(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
// Ends the process even when a library still holds a timer.
process.exit();

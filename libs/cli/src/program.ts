import { Command, CommanderError } from 'commander';
import { aboutCommands } from './commands/about-commands.js';
import { accountCommands } from './commands/account-commands.js';
import { actionCommands } from './commands/action-commands.js';
import { agentCommands } from './commands/agent-commands.js';
import { apiCommands } from './commands/api-commands.js';
import { assistantCommands } from './assistants/assistant-commands.js';
import { doctorCommand } from './commands/doctor-command.js';
import { eventCommands } from './commands/event-commands.js';
import { listenCommand } from './listening/listen-command.js';
import { prepareCommands } from './commands/prepare-commands.js';
import { taskCommands } from './commands/task-commands.js';
import { verifyCommands } from './commands/verify-commands.js';
import { webhookCommands } from './commands/webhook-commands.js';
import { workCommands } from './commands/work-commands.js';
import { outputOf } from './frame/command-context.js';
import { type AddCommands, Frame, withExamples } from './frame/frame.js';
import type { Host } from './frame/host.js';
import { EXIT, type Fault } from './output/cli-error.js';
import { faultOf } from './output/fault-of.js';
import { triggerCommand } from './triggering/trigger-command.js';
import { repeatedCommand } from './output/repeated-command.js';

/** The commands, in the order of the help. */
const GROUPS: readonly AddCommands[] = [
  accountCommands,
  doctorCommand,
  taskCommands,
  workCommands,
  agentCommands,
  prepareCommands,
  actionCommands,
  verifyCommands,
  eventCommands,
  listenCommand,
  triggerCommand,
  webhookCommands,
  assistantCommands,
  apiCommands,
  aboutCommands,
];

/** The program with all commands. */
export function programOf(host: Host, frame = new Frame(host)): Command {
  const program = new Command('tasktree')
    .description('A Tasktree market from the command line. Every action is checked before it is signed.')
    .option('--profile <name>', 'which profile (else TASKTREE_PROFILE, else default)')
    .option('--json', 'answer as JSON, which is how it answers wherever no terminal reads it')
    .version(host.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out.write(text),
      writeErr: (text) => host.err.write(text),
      // Said below, in the form in which the caller reads.
      outputError: () => undefined,
      getOutHelpWidth: () => host.out.columns || 100,
      getErrHelpWidth: () => host.err.columns || 100,
    });
  for (const add of GROUPS) add(program, frame);
  return withExamples(
    program,
    'login https://market.example',
    'tasks list',
    'prepare fund-task task_1 --quote quote_1 --open',
  );
}

/** Runs one command line. Resolves to the exit code; never rejects. */
export async function runProgram(host: Host): Promise<number> {
  const frame = new Frame(host);
  const program = programOf(host, frame);
  try {
    await program.parseAsync([...host.argv], { from: 'user' });
    return frame.exit;
  } catch (error) {
    // The help was asked for, or is the answer to a command that is not whole; commander has shown it.
    if (error instanceof CommanderError && /^commander\.(?:help|version)/.test(error.code)) {
      return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
    const fault =
      error instanceof CommanderError
        ? misuse(error)
        : faultOf(error, { repeatWith: (key) => repeatedCommand(host.argv, key), now: host.now });
    outputOf(host, program.opts()).fault(fault);
    return fault.exit;
  }
}

function misuse({ message }: CommanderError): Fault {
  const [what = '', ...more] = message.replace(/^error: /, '').split('\n');
  return {
    exit: EXIT.usage,
    what,
    why: more.join(' ') || undefined,
    advice: 'tasktree help, or --help behind a command',
    code: 'usage',
  };
}

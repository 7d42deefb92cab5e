import { parseArgs } from 'node:util';
import { CallFault, messageOf } from '../processes/local-fault.js';
import { handedOn, marketDirectory } from '../local-market/local-settings.js';

/** The settings of a demo run. */
export interface DemoSettings {
  help: boolean;
  /** True: nobody is at the keyboard. */
  ci: boolean;
  /** Folder of the running market to play in; null: the demo starts its own market. */
  here: string | null;
  /** Environment variables for the service when the demo starts its own market. */
  service: Readonly<Record<string, string>>;
}

export const DEMO_USAGE = `Plays two tasks to their ends, with \`tasktree\` and wallets that sign, on a chain whose clock it moves on by a day.

  npm run demo                                    in a market of its own, which is deleted afterwards
  npm run demo -- --ci                            the same with nobody at the keyboard; exit code 0 when the books close
  npm run demo -- --here [--data-dir FOLDER]      in the market that runs here: its clock stays a day ahead
  npm run demo -- --help                          this text

FOLDER is where that market's data is (TASKTREE_DIR, or else .tasktree). Exit code 1: something is not as it has to be;
2: called with what it does not know.`;

/** Reads the command line and the environment. Throws CallFault on an unknown option. */
export function demoSettings(args: readonly string[], variables: NodeJS.ProcessEnv): DemoSettings {
  const { help = false, ci = false, here = false, 'data-dir': folder } = parse(args);
  if (folder !== undefined && !here) {
    throw new CallFault('--data-dir names the market to play in: add --here.', DEMO_USAGE);
  }
  return { help, ci, here: here ? (folder ?? marketDirectory(variables)) : null, service: handedOn(variables) };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      help: { type: 'boolean' },
      ci: { type: 'boolean' },
      here: { type: 'boolean' },
      'data-dir': { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new CallFault(messageOf(error), DEMO_USAGE);
  }
}

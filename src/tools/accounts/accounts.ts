import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { ACCOUNTS_USAGE, parseAccountsArguments } from './accounts-arguments.js';
import { AccountsCommands } from './accounts-commands.js';

/** `npm run accounts -- …`: lists, suspends, resumes, exports and erases accounts. */
void runOperatorTool(
  {
    usage: ACCOUNTS_USAGE,
    parse: parseAccountsArguments,
    run: (command, dataSource) => new AccountsCommands(dataSource, process.stdout).run(command),
  },
  process.argv.slice(2),
);

import 'reflect-metadata';
import { parseKeysArguments, USAGE } from './keys-arguments.js';
import { KeysCommands } from './keys-commands.js';
import { runOperatorTool } from '../operator-tool.js';

/** `npm run keys -- …`: administers API keys in the database. */
void runOperatorTool(
  {
    usage: USAGE,
    parse: parseKeysArguments,
    run: (command, dataSource, environment) => new KeysCommands(dataSource, environment).run(command),
  },
  process.argv.slice(2),
);

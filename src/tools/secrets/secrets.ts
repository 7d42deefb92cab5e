import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { parseSecretsArguments, SECRETS_USAGE } from './secrets-arguments.js';
import { SecretsCommands } from './secrets-commands.js';

/** `npm run secrets -- …`: makes what is stored independent of previous secrets. */
void runOperatorTool(
  {
    usage: SECRETS_USAGE,
    parse: parseSecretsArguments,
    run: (command, dataSource, environment) => new SecretsCommands(dataSource, environment).run(command),
  },
  process.argv.slice(2),
);

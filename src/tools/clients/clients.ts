import 'reflect-metadata';
import { CLIENTS_USAGE, parseClientsArguments } from './clients-arguments.js';
import { ClientsCommands } from './clients-commands.js';
import { runOperatorTool } from '../operator-tool.js';

/** `npm run clients -- …`: administers OAuth applications, grants and signing keys in the database. */
void runOperatorTool(
  {
    usage: CLIENTS_USAGE,
    parse: parseClientsArguments,
    run: (command, dataSource, environment) => new ClientsCommands(dataSource, environment).run(command),
  },
  process.argv.slice(2),
);

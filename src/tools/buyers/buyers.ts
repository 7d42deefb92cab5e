import 'reflect-metadata';
import { BUYERS_USAGE, parseBuyersArguments } from './buyers-arguments.js';
import { BuyersCommands } from './buyers-commands.js';
import { runOperatorTool } from '../operator-tool.js';

/** `npm run buyers -- …`: names the buyers that trust starts from. */
void runOperatorTool(
  {
    usage: BUYERS_USAGE,
    parse: parseBuyersArguments,
    run: (command, dataSource) => new BuyersCommands(dataSource).run(command),
  },
  process.argv.slice(2),
);

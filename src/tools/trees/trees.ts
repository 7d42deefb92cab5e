import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { parseTreesArguments, TREES_USAGE } from './trees-arguments.js';
import { TreesCommands } from './trees-commands.js';

/** `npm run trees -- …`: shows trees whose facts are indexed and not shown, and has them tried again. */
void runOperatorTool(
  {
    usage: TREES_USAGE,
    parse: parseTreesArguments,
    run: (command, dataSource) => new TreesCommands(dataSource).run(command),
  },
  process.argv.slice(2),
);

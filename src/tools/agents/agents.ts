import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { AGENTS_USAGE, parseAgentsArguments } from './agents-arguments.js';
import { AgentsCommands } from './agents-commands.js';

/** `npm run agents -- …`: suspends and resumes agents. */
void runOperatorTool(
  {
    usage: AGENTS_USAGE,
    parse: parseAgentsArguments,
    run: (command, dataSource) => new AgentsCommands(dataSource).run(command),
  },
  process.argv.slice(2),
);

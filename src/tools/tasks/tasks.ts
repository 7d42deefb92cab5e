import 'reflect-metadata';
import { runOperatorTool } from '../operator-tool.js';
import { parseTasksArguments, TASKS_USAGE } from './tasks-arguments.js';
import { TasksCommands } from './tasks-commands.js';

/** `npm run tasks -- …`: hides tasks and shows them again. */
void runOperatorTool(
  {
    usage: TASKS_USAGE,
    parse: parseTasksArguments,
    run: (command, dataSource) => new TasksCommands(dataSource).run(command),
  },
  process.argv.slice(2),
);

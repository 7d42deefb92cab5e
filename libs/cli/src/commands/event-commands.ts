import { type Command, Option } from 'commander';
import type { MarketEvent } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, limitOption, withExamples } from '../frame/frame.js';
import { type ListOptions, showList } from '../frame/list-command.js';
import { time } from '../output/shown-values.js';
import type { Column } from '../output/text-table.js';

const COLUMNS: readonly Column<MarketEvent>[] = [
  ['TIME', ({ timestamp }) => time(timestamp)],
  ['TYPE', ({ type }) => type],
  ['SUBJECT', ({ subject }) => subject.id],
  ['ID', ({ id }) => id],
];

interface EventOptions extends ListOptions {
  types?: string;
  task?: string;
  after?: string;
}

/** What has happened. */
export function eventCommands(program: Command, frame: Frame): void {
  const events = withExamples(program.command('events').description('Events: list'), 'events list --types task.opened');
  withExamples(
    events
      .command('list')
      .description('List what has happened, the oldest first')
      .addOption(new Option('--types <names>', 'only these, such as task.opened,node.funded'))
      .addOption(new Option('--task <task>', 'only those of this task'))
      .addOption(new Option('--after <event>', 'only what came after this one'))
      .addOption(limitOption())
      .action(
        frame.run(async (context: CommandContext, { types, task: task_id, after, ...options }: EventOptions) => {
          await showList(
            context,
            options,
            (limit, market, signal) => market.events.list({ types, task_id, after, limit, signal }),
            COLUMNS,
          );
        }),
      ),
    'events list --types task.opened,node.funded',
    'events list --task task_1 --json',
  );
}

import { type Command, Option } from 'commander';
import type { components } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { collected, type Frame, withExamples } from '../frame/frame.js';
import { usageError } from '../output/cli-error.js';
import { readJson } from './input-file.js';
import { arbiterOption, perform, type PerformOptions, withPerforming } from './perform-action.js';

type Body = components['schemas']['CreateTaskBody'];

interface CreationOptions extends PerformOptions {
  title?: string;
  brief?: string;
  budget?: string;
  selection?: Body['selection_mode'];
  tier?: Body['tier'];
  criterion?: string[];
  deadline?: string;
}

/** Adds the command that prepares a task. */
export function addCreation(parent: Command, name: string, path: string, frame: Frame): Command {
  const command = parent
    .command(name)
    .description('Prepare a task: its signature opens it for offers')
    .argument('[file]', 'the task as JSON, - for standard input; options go before its members')
    .option('--title <text>')
    .option('--brief <text>', 'what is to be done')
    .option('--budget <usdc>', 'such as 60.00')
    .addOption(new Option('--selection <mode>', 'who chooses the offer').choices(['manual', 'auto']))
    .addOption(new Option('--tier <tier>', 'who sees it').choices(['public', 'private_curated']))
    .option('--criterion <text>', 'by what the work is judged, as often as needed', collected)
    .option('--deadline <time>', 'until when offers are taken')
    .addOption(arbiterOption());
  return withExamples(
    withPerforming(command).action(frame.run(create)),
    `${path} --title 'Forty pages' --brief 'Translate 40 pages into French.' --budget 60 --open --wait`,
    `${path} task.json --signer my-signer`,
  );
}

async function create(context: CommandContext, file: string | undefined, options: CreationOptions): Promise<void> {
  const given = file === undefined ? {} : ((await readJson(context.host, file)) as Partial<Body>);
  const { title, brief, budget, selection, tier, criterion, deadline, arbiter } = options;
  const own: Partial<Body> = {
    title,
    brief,
    budget: budget === undefined ? undefined : { amount: budget, currency: 'USDC' },
    selection_mode: selection,
    tier,
    criteria: criterion,
    deadline,
    arbiter,
  };
  const body = { selection_mode: 'manual', ...given, ...present(own) } as Body;
  if (body.brief === undefined || body.budget === undefined) {
    throw usageError('A task has at least a brief and a budget.', "--brief 'What is to be done.' --budget 60");
  }
  await perform(context, options, (market, prepare) => market.tasks.prepareCreation(body, prepare));
}

function present<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}

import { type Command, Option } from 'commander';
import type { components, Marketplace, Pages } from '#libs/sdk';
import { addQuote } from '../actions/quote-options.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, limitOption, withExamples } from '../frame/frame.js';
import { type ListOptions, showList } from '../frame/list-command.js';
import { money, time } from '../output/shown-values.js';
import { textRecord, textTable } from '../output/text-table.js';
import type { Column } from '../output/text-table.js';

type Schemas = components['schemas'];
type OfTask = ListOptions & { readonly task?: string };

const QUOTE_COLUMNS: readonly Column<Schemas['Quote']>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['PRICE', ({ price }) => money(price)],
  ['AGENT', ({ agent_id }) => agent_id],
  ['WORK (s)', ({ work_seconds }) => work_seconds],
  ['TASK', ({ task_id }) => task_id],
];
const DELIVERY_COLUMNS: readonly Column<Schemas['Delivery']>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['TASK', ({ task_id }) => task_id],
  ['DELIVERED', ({ created_at }) => time(created_at)],
  ['SHA-256', ({ artifact_hash }) => artifact_hash],
];
const NODE_COLUMNS: readonly Column<Schemas['EscrowNode']>[] = [
  ['NODE', ({ id }) => id],
  ['STATE', ({ state }) => state],
  ['AMOUNT', ({ amount }) => money(amount)],
  ['DUE', ({ due_at, delivery_deadline }) => time(due_at ?? delivery_deadline)],
  ['YOU CAN', ({ allowed_actions = [] }) => allowed_actions.join(', ')],
];
const RECEIPT_COLUMNS: readonly Column<Schemas['Receipt']>[] = [
  ['ID', ({ id }) => id],
  ['OUTCOME', ({ outcome }) => outcome],
  ['AMOUNT', ({ amount }) => money(amount)],
  ['NODE', ({ node_id }) => node_id],
  ['TRANSACTION', ({ transaction_hash }) => transaction_hash],
];
const EARNINGS_COLUMNS: readonly Column<Schemas['TaskEarnings']>[] = [
  ['TASK', ({ task_id }) => task_id],
  ['PENDING', ({ pending }) => pending],
  ['CLAIMABLE', ({ claimable }) => claimable],
];
const MOST_AGENTS = 100;

/** Offers, work and pay. */
export function workCommands(program: Command, frame: Frame): void {
  const quotes = withExamples(
    program.command('quotes').description('Offers: list, submit'),
    'quotes list --task task_1',
  );
  const listed = lister(frame);
  withExamples(
    listed(
      quotes.command('list').description('List the offers that you may see, the newest first'),
      (market, query) => market.quotes.list(query),
      QUOTE_COLUMNS,
    ),
    'quotes list',
    'quotes list --task task_1 --json',
  );
  addQuote(quotes, 'submit', 'quotes submit', frame);
  withExamples(
    listed(
      program.command('deliveries').description('List deliveries, the newest first'),
      (market, query) => market.deliveries.list(query),
      DELIVERY_COLUMNS,
    ),
    'deliveries',
    'deliveries --task task_1',
  );
  withExamples(
    program
      .command('inbox')
      .description('List the work of your agents')
      .argument('[agent]', 'one of your agents; absent: all')
      .addOption(new Option('--state <state>', 'only nodes in this state'))
      .addOption(limitOption())
      .action(frame.run(inbox)),
    'inbox',
    'inbox agent_1 --state funded',
  );
  withExamples(
    program.command('earnings').description('Show what your agents have earned').action(frame.run(earnings)),
    'earnings',
  );
  withExamples(
    listed(
      program.command('receipts').description('List how paid work has ended, the newest first'),
      (market, query) => market.receipts(query),
      RECEIPT_COLUMNS,
    ),
    'receipts',
    'receipts --task task_1',
  );
}

/** Makes commands list what is of all tasks, or of the one that is named. */
function lister(frame: Frame) {
  return <T>(
    command: Command,
    list: (market: Marketplace, query: { task_id: string | undefined; limit: number; signal: AbortSignal }) => Pages<T>,
    columns: readonly Column<T>[],
  ): Command =>
    command
      .addOption(new Option('--task <task>', 'only those of this task'))
      .addOption(limitOption())
      .action(
        frame.run((context: CommandContext, { task: task_id, ...options }: OfTask) =>
          showList(context, options, (limit, market, signal) => list(market, { task_id, limit, signal }), columns),
        ),
      );
}

type NodeState = NonNullable<Parameters<ReturnType<CommandContext['market']>['agents']['nodes']>[1]>['state'];

async function inbox(
  context: CommandContext,
  agent: string | undefined,
  { state, limit }: ListOptions & { state?: NodeState },
): Promise<void> {
  const { out, signal } = context;
  const { agents } = context.market();
  const own =
    agent === undefined ? await agents.list({ mine: true, signal }).toArray({ limit: MOST_AGENTS }) : [{ id: agent }];
  const rows: Schemas['EscrowNode'][] = [];
  for (const { id } of own) {
    if (rows.length >= limit) break;
    rows.push(...(await agents.nodes(id, { role: 'worker', state, signal }).toArray({ limit: limit - rows.length })));
  }
  out.table(rows, NODE_COLUMNS);
}

async function earnings(context: CommandContext): Promise<void> {
  const { out, signal } = context;
  const value = await context.market().earnings.get({ signal });
  const { pending, claimable, paid, currency, by_task: tasks } = value;
  out.answer(value, () => [
    ...textRecord([
      ['pending', `${pending} ${currency}`],
      ['claimable', `${claimable} ${currency}`],
      ['paid', `${paid} ${currency}`],
    ]),
    ...(tasks.length === 0 ? [] : ['', ...textTable(tasks, EARNINGS_COLUMNS, 100)]),
  ]);
}

import { type Command, Option } from 'commander';
import type { components } from '#libs/sdk';
import { addCreation } from '../actions/creation-options.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, limitOption, withExamples } from '../frame/frame.js';
import { type ListOptions, showList } from '../frame/list-command.js';
import { plain } from '../output/plain-text.js';
import { money, time } from '../output/shown-values.js';
import type { Column } from '../output/text-table.js';

type Schemas = components['schemas'];

const TASK_COLUMNS: readonly Column<Schemas['Task']>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['BUDGET', ({ budget }) => money(budget)],
  ['TITLE', ({ title, brief }) => title ?? brief],
];
const MATCH_COLUMNS: readonly Column<Schemas['Match']>[] = [
  ['RANK', ({ rank }) => rank],
  ['AGENT', ({ agent }) => agent.name],
  ['ID', ({ agent }) => agent.id],
  ['SCORE', ({ score }) => score.toFixed(3)],
  ['WHY', ({ reason }) => reason],
];
/** Most trees are shown whole; a hostile one may have tens of thousands of nodes. */
const MOST_NODES = 1_000;

/** Tasks, and what hangs on one. */
export function taskCommands(program: Command, frame: Frame): void {
  const tasks = withExamples(
    program.command('tasks').description('Tasks: list, show, create, watch'),
    'tasks list --role buyer',
  );
  withExamples(
    tasks
      .command('list')
      .description('List tasks, the newest first')
      .addOption(new Option('--status <status>', 'only those in this status'))
      .addOption(new Option('--role <role>', 'only your own, as this').choices(['buyer', 'worker']))
      .addOption(limitOption())
      .action(frame.run(list)),
    'tasks list',
    'tasks list --status open --limit 50 --json',
  );
  withExamples(
    tasks
      .command('show')
      .description('Show a task, and what you can do about it')
      .argument('<task>')
      .action(frame.run(show)),
    'tasks show task_1',
  );
  addCreation(tasks, 'create', 'tasks create', frame);
  withExamples(
    tasks
      .command('watch')
      .description('Show what happens to a task, until Ctrl-C')
      .argument('<task>')
      .action(frame.run(watch)),
    'tasks watch task_1',
  );
  withExamples(
    program
      .command('matches')
      .description('List the agents that fit a task, the best first')
      .argument('<task>')
      .addOption(limitOption())
      .action(frame.run(matches)),
    'matches task_1',
  );
  withExamples(
    program
      .command('nodes')
      .description('Show the tree of work and money of a task')
      .argument('<task>')
      .action(frame.run(nodes)),
    'nodes task_1',
  );
}

async function list(
  context: CommandContext,
  { status, role, ...options }: ListOptions & Pick<NonNullable<Query>, 'status' | 'role'>,
): Promise<void> {
  await showList(
    context,
    options,
    (limit, market, signal) => market.tasks.list({ status, role, limit, signal }),
    TASK_COLUMNS,
  );
}
type Query = Parameters<ReturnType<CommandContext['market']>['tasks']['list']>[0];

async function show(context: CommandContext, id: string): Promise<void> {
  const { out, signal } = context;
  const task = await context.market().tasks.get(id, { signal });
  out.record(task, [
    ['id', task.id],
    ['title', task.title],
    ['brief', task.brief],
    ['status', task.status],
    ['budget', money(task.budget)],
    ['selection', task.selection_mode],
    ['tier', task.tier],
    ['agent', task.selected_agent_id],
    ['terms', task.terms_hash],
    ['escrow', task.escrow_address],
    ['created', time(task.created_at)],
    ['offers until', time(task.deadline)],
    ['you can', task.allowed_actions.join(', ')],
    ['due', time(task.due_at)],
    ['next', task.next],
  ]);
}

async function watch(context: CommandContext, id: string): Promise<void> {
  const { out, signal } = context;
  const market = context.market();
  const before = await market.tasks.get(id, { signal });
  // Read again once the stream is open, so that nothing happens between what is said and what is heard.
  const say = async (): Promise<void> => {
    const { title, status } = await market.tasks.get(id, { signal }).catch(() => before);
    out.note(`${plain(title ?? id)} is ${status}. Ctrl-C ends this.`);
  };
  let said: Promise<void> | undefined;
  for await (const event of market.events.stream({ task_id: id, signal, onOpen: () => void (said ??= say()) })) {
    await said;
    out.item(event, () => `${time(event.timestamp)}  ${plain(event.type)}  ${plain(event.subject.id)}`);
  }
}

async function matches(context: CommandContext, id: string, options: ListOptions): Promise<void> {
  await showList(
    context,
    options,
    (limit, market, signal) => market.tasks.matches(id, { limit, signal }),
    MATCH_COLUMNS,
  );
}

async function nodes(context: CommandContext, id: string): Promise<void> {
  const { out, signal } = context;
  const pages = context.market().tasks.nodes(id, { limit: 100, signal });
  const read = await pages.toArray({ limit: MOST_NODES + 1 });
  const all = read.slice(0, MOST_NODES);
  out.answer(all, () => (all.length === 0 ? ['Nobody has been paid for yet.'] : treeOf(all)));
  if (read.length > all.length) {
    const whole = `tasktree api GET /v1/tasks/${plain(id)}/nodes --paginate`;
    out.note(`These are the first ${MOST_NODES} nodes of the tree. All of them: ${whole}`);
  }
}

/** The nodes below each other, each below the one that it was hired under. */
function treeOf(nodes: readonly Schemas['EscrowNode'][]): string[] {
  const known = new Set(nodes.map(({ id }) => id));
  const below = (parent: string | null): Schemas['EscrowNode'][] =>
    nodes.filter(({ parent_node_id: id }) => (id !== null && known.has(id) ? id : null) === parent);
  const lines = (parent: string | null, indent: string): string[] => {
    const children = below(parent);
    return children.flatMap((node, at) => {
      const isLast = at === children.length - 1;
      const [own, rest] = parent === null ? ['', ''] : isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
      return [indent + own + nodeLine(node), ...lines(node.id, indent + rest)];
    });
  };
  return lines(null, '');
}

function nodeLine({
  id,
  worker_agent_id: worker,
  amount,
  state,
  allowed_actions: may = [],
}: Schemas['EscrowNode']): string {
  const you = may.length === 0 ? '' : `  you can: ${may.map(plain).join(', ')}`;
  return `${plain(id)}  ${plain(state)}  ${plain(money(amount))}  ${plain(worker)}${you}`;
}

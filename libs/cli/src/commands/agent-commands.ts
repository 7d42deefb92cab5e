import { Argument, type Command } from 'commander';
import type { components } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { collected, type Frame, idempotencyOption, limitOption, withExamples } from '../frame/frame.js';
import { type ListOptions, showList } from '../frame/list-command.js';
import { money, time } from '../output/shown-values.js';
import type { Column } from '../output/text-table.js';

type Agent = components['schemas']['Agent'];

const COLUMNS: readonly Column<Agent>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name],
  ['STATUS', ({ status }) => status],
  ['AVAILABLE', ({ available }) => (available === undefined ? '' : available ? 'yes' : 'no')],
  ['CAPABILITIES', ({ capabilities }) => capabilities.join(', ')],
];

interface PublishOptions {
  name: string;
  card: string;
  description?: string;
  capability: string[];
  wallet?: string;
  idempotencyKey?: string;
}

/** Agents: those of the market, and one's own. */
export function agentCommands(program: Command, frame: Frame): void {
  const agents = withExamples(
    program.command('agents').description('Agents: list, show, publish, available'),
    'agents list --mine',
  );
  withExamples(
    agents
      .command('list')
      .description('List agents')
      .argument('[query]', 'words to find')
      .option('--mine', 'only your own, also the retired ones')
      .addOption(limitOption())
      .action(
        frame.run(
          async (
            context: CommandContext,
            query: string | undefined,
            { mine, ...options }: ListOptions & { mine?: boolean },
          ) => {
            await showList(
              context,
              options,
              (limit, market, signal) => market.agents.list({ query, mine, limit, signal }),
              COLUMNS,
            );
          },
        ),
      ),
    "agents list 'translation french'",
    'agents list --mine',
  );
  withExamples(
    agents
      .command('show')
      .description('Show an agent, and what settled work says about it')
      .argument('<agent>')
      .action(frame.run(show)),
    'agents show agent_1',
  );
  withExamples(
    agents
      .command('publish')
      .description('Publish an agent: active and available at once')
      .requiredOption('--name <name>')
      .requiredOption('--card <url>', 'address of its agent card')
      .option('--description <text>')
      .option('--capability <name>', 'what it can do, as often as needed', collected, [])
      .option('--wallet <address>', 'its wallet; absent: that of the account')
      .addOption(idempotencyOption())
      .action(frame.run(publish)),
    'agents publish --name Lingua --card https://lingua.example/card.json --capability translation',
  );
  withExamples(
    agents
      .command('available')
      .description('Say whether an agent takes work')
      .addArgument(new Argument('<state>').choices(['on', 'off']))
      .argument('<agent>')
      .option('--until <time>', 'when that changes by itself, such as 2026-12-24T12:00:00Z')
      .addOption(idempotencyOption())
      .action(frame.run(setAvailable)),
    'agents available off agent_1',
    'agents available on agent_1 --until 2026-12-24T12:00:00Z',
  );
}

async function show(context: CommandContext, id: string): Promise<void> {
  const { signal, out } = context;
  const { agents } = context.market();
  const agent = await agents.get(id, { signal });
  const reputation = await agents.reputation(id, { signal });
  out.record({ ...agent, reputation }, [
    ...entriesOf(agent),
    ['reputation', `${reputation.score} of 1`],
    ['settled', money(reputation.settled_value)],
  ]);
}

async function publish(
  context: CommandContext,
  {
    name,
    card: agent_card_url,
    description,
    capability: capabilities,
    wallet: wallet_address,
    idempotencyKey,
  }: PublishOptions,
): Promise<void> {
  const { signal, out } = context;
  const body = { name, agent_card_url, description, capabilities, wallet_address };
  const agent = await context.market().agents.publish(body, { signal, idempotencyKey });
  out.record(agent, entriesOf(agent));
}

async function setAvailable(
  context: CommandContext,
  state: string,
  id: string,
  { until, idempotencyKey }: { until?: string; idempotencyKey?: string },
): Promise<void> {
  const { signal, out } = context;
  const body = { available: state === 'on', until };
  const agent = await context.market().agents.setAvailability(id, body, { signal, idempotencyKey });
  out.record(agent, entriesOf(agent));
}

function entriesOf(agent: Agent): [string, unknown][] {
  return [
    ['id', agent.id],
    ['name', agent.name],
    ['status', agent.status],
    ['available', agent.available],
    ['until', time(agent.available_until)],
    ['capabilities', agent.capabilities.join(', ')],
    ['description', agent.description],
    ['card', agent.agent_card_url],
    ['wallet', agent.wallet_address],
    ['suspended for', agent.suspension_reason],
  ];
}

import { type Command, Option } from 'commander';
import type { components } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, idempotencyOption, limitOption, withExamples } from '../frame/frame.js';
import { type ListOptions, showList } from '../frame/list-command.js';
import { usageError } from '../output/cli-error.js';
import { time } from '../output/shown-values.js';
import type { Column } from '../output/text-table.js';

type Schemas = components['schemas'];

const ENDPOINTS: readonly Column<Schemas['WebhookEndpoint']>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status, disabled_reason: reason }) => (reason === undefined ? status : `${status} (${reason})`)],
  ['WAITING', ({ waiting }) => waiting],
  ['EVENTS', ({ types }) => types.join(', ') || 'all'],
  ['URL', ({ url }) => url],
];
const ATTEMPTS: readonly Column<Schemas['WebhookAttempt']>[] = [
  ['TIME', ({ at }) => time(at)],
  ['EVENT', ({ event_id: id }) => id],
  ['ANSWER', ({ status, failure }) => status ?? failure],
  ['MS', ({ duration_ms: ms }) => ms],
];

interface Repeatable {
  idempotencyKey?: string;
}

/** Addresses that the market sends events to. */
export function webhookCommands(program: Command, frame: Frame): void {
  const webhooks = withExamples(
    program.command('webhooks').description('Webhooks: list, create, test, attempts, replay, rotate, delete'),
    'webhooks list',
  );
  const add = (name: string, description: string): Command => webhooks.command(name).description(description);
  withExamples(
    add('list', 'List the addresses that events are sent to').addOption(limitOption()).action(frame.run(list)),
    'webhooks list',
  );
  withExamples(
    add('create', 'Have events sent to an address; the secret is shown this once')
      .argument('<url>', 'an https address')
      .addOption(eventsOption())
      .addOption(idempotencyOption())
      .action(frame.run(create)),
    'webhooks create https://example.com/hooks --events task.funded,delivery.submitted',
  );
  withExamples(
    add('test', 'Send a test event now').argument('<endpoint>').addOption(idempotencyOption()).action(frame.run(test)),
    'webhooks test whe_1',
  );
  withExamples(
    add('attempts', 'List what was sent, the newest first, and what came back')
      .argument('<endpoint>')
      .addOption(limitOption())
      .action(frame.run(attempts)),
    'webhooks attempts whe_1',
  );
  withExamples(
    add('replay', 'Send events again: those since a time, those that have failed, or named ones')
      .argument('<endpoint>')
      .option('--since <time>', 'such as 2026-11-24T14:00:00Z')
      .option('--failed', 'only what has failed')
      .option('--event <event...>', 'these')
      .addOption(idempotencyOption())
      .action(frame.run(replay)),
    'webhooks replay whe_1 --since 2026-11-24T14:00:00Z --failed',
    'webhooks replay whe_1 --event evt_1',
  );
  withExamples(
    add('rotate', 'Make a new secret, shown this once; the one before is good for a while')
      .argument('<endpoint>')
      .addOption(idempotencyOption())
      .action(frame.run(rotate)),
    'webhooks rotate whe_1',
  );
  withExamples(
    add('delete', 'Send nothing there any more')
      .argument('<endpoint>')
      .addOption(idempotencyOption())
      .action(frame.run(remove)),
    'webhooks delete whe_1',
  );
}

/** Which types of events. */
export function eventsOption(): Option {
  const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());
  return new Option('--events <names>', 'only these, such as task.opened,node.funded').argParser(namesIn);
}

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { signal } = context;
  const { webhooks } = context.market();
  await showList(context, options, (limit) => webhooks.list({ limit, signal }), ENDPOINTS);
}

async function create(
  context: CommandContext,
  url: string,
  { events = [], ...own }: Repeatable & { events?: string[] },
): Promise<void> {
  showSecret(
    context,
    await context.market().webhooks.create({ url, types: events }, { signal: context.signal, ...own }),
  );
}

async function test(context: CommandContext, id: string, own: Repeatable): Promise<void> {
  const sent = await context.market().webhooks.test(id, { signal: context.signal, ...own });
  context.out.answer(sent, () => [`Sent ${sent.event_id}. What came back: tasktree webhooks attempts ${id}`]);
}

async function attempts(context: CommandContext, id: string, options: ListOptions): Promise<void> {
  const { signal } = context;
  const { webhooks } = context.market();
  await showList(context, options, (limit) => webhooks.attempts(id, { limit, signal }), ATTEMPTS);
}

async function replay(
  context: CommandContext,
  id: string,
  { since, failed, event, ...own }: Repeatable & { since?: string; failed?: boolean; event?: string[] },
): Promise<void> {
  if (since === undefined && failed === undefined && event === undefined) {
    throw usageError('Say which events: --since, --failed or --event.');
  }
  const body = { since, failed, event_ids: event };
  const replayed = await context.market().webhooks.replay(id, body, { signal: context.signal, ...own });
  context.out.record(replayed, [
    ['events', replayed.events],
    ['since', time(replayed.since)],
  ]);
}

async function rotate(context: CommandContext, id: string, own: Repeatable): Promise<void> {
  showSecret(context, await context.market().webhooks.rotateSecret(id, { signal: context.signal, ...own }));
}

async function remove(context: CommandContext, id: string, own: Repeatable): Promise<void> {
  const gone = await context.market().webhooks.delete(id, { signal: context.signal, ...own });
  context.out.answer(gone, () => [`Nothing is sent to ${gone.url} any more.`]);
}

function showSecret({ out }: CommandContext, endpoint: Schemas['WebhookEndpointWithSecret']): void {
  out.record(endpoint, [
    ['id', endpoint.id],
    ['url', endpoint.url],
    ['events', endpoint.types.join(', ') || 'all'],
    ['secret', endpoint.secret],
    ['the one before ends', time(endpoint.previous_secret_until)],
  ]);
  out.note('Keep the secret: it is not shown again.');
}

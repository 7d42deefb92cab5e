import { type Command, Option } from 'commander';
import { describeAction, hashTypedData, matchCode, type PreparedAction } from '#libs/prepared-action';
import { type ActionRecord, type components, MarketError } from '#libs/sdk';
import { showRecord, timeoutOption, waitOptions } from '../actions/perform-action.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, idempotencyOption, limitOption, withExamples } from '../frame/frame.js';
import { type ListOptions, showList } from '../frame/list-command.js';
import { CliError, EXIT, usageError } from '../output/cli-error.js';
import { plain } from '../output/plain-text.js';
import { time } from '../output/shown-values.js';
import type { Column } from '../output/text-table.js';
import { SCOPES } from '../profile/settings.js';

type Listed = components['schemas']['ListedAction'];
type Status = NonNullable<Parameters<ReturnType<CommandContext['market']>['actions']['list']>[0]>['status'];
type Until = NonNullable<Parameters<ReturnType<CommandContext['market']>['actions']['wait']>[1]>['until'];

const COLUMNS: readonly Column<Listed>[] = [
  ['ID', ({ action_id }) => action_id],
  ['KIND', ({ kind }) => kind],
  ['STATUS', ({ status }) => status],
  ['UNTIL', ({ expires_at }) => time(expires_at)],
  ['TASK', ({ task_id }) => task_id],
];

/** What was prepared, and what has become of it. */
export function actionCommands(program: Command, frame: Frame): void {
  const actions = withExamples(
    program.command('actions').description('Prepared actions: list, show, open, wait, decline'),
    'actions list --status prepared',
  );
  withExamples(
    actions
      .command('list')
      .description('List your actions, the newest first')
      .addOption(new Option('--status <status>', 'only those in this status'))
      .addOption(limitOption())
      .action(
        frame.run(async (context: CommandContext, { status, ...options }: ListOptions & { status?: Status }) => {
          await showList(
            context,
            options,
            (limit, market, signal) => market.actions.list({ status, limit, signal }),
            COLUMNS,
          );
        }),
      ),
    'actions list',
    'actions list --status prepared',
  );
  withExamples(
    actions.command('show').description('Show an action').argument('<action>').action(frame.run(show)),
    'actions show act_1',
  );
  withExamples(
    actions
      .command('open')
      .description('Open the page where a person signs or declines an action')
      .argument('<action>')
      .action(frame.run(open)),
    'actions open act_1',
  );
  withExamples(
    actions
      .command('wait')
      .description('Wait until an action has come to its end')
      .argument('<action>')
      .addOption(new Option('--until <status>', 'how far').choices(['signed', 'confirmed', 'final']))
      .addOption(timeoutOption())
      .action(
        frame.run(
          async (context: CommandContext, id: string, { until, timeout }: { until?: Until; timeout?: number }) => {
            const { actions: market } = context.market();
            showRecord(context, await market.wait(id, { ...waitOptions(context, timeout), until }));
          },
        ),
      ),
    'actions wait act_1',
    'actions wait act_1 --until confirmed --timeout 600',
  );
  withExamples(
    actions
      .command('decline')
      .description('Decline an action that waits for its signature: from then on none is accepted')
      .argument('<action>')
      .option('--yes', 'without being asked')
      .addOption(idempotencyOption())
      .action(frame.run(decline)),
    'actions decline act_1',
    'actions decline act_1 --yes',
  );
}

async function show(context: CommandContext, id: string): Promise<void> {
  const { out, signal, host } = context;
  const record = await context.market().actions.get(id, { signal });
  const described = describeAction(record as unknown as PreparedAction, { nowMs: host.now() });
  out.record(record, [
    ['action', record.action_id],
    ['kind', record.kind],
    ['what', described?.sentence],
    ['status', record.status],
    ['task', record.task_id],
    ['node', record.node_id],
    ['wallet', record.wallet_address],
    ['match code', codeOf(record)],
    ['sign here', record.signing_url],
    ['until', time(record.expires_at)],
    ['transaction', record.transaction_hash],
  ]);
}

/** Made here of what would be signed, and not taken from the market. */
function codeOf({ payload }: ActionRecord): string | undefined {
  try {
    return matchCode(hashTypedData(payload).digest);
  } catch {
    return undefined;
  }
}

async function open(context: CommandContext, id: string): Promise<void> {
  const { out, signal, host } = context;
  const record = await context.market().actions.get(id, { signal });
  const url = pageOf(context, record);
  host.openUrl(url);
  out.answer({ url }, () => [url]);
}

interface DeclineOptions {
  yes?: boolean;
  idempotencyKey?: string;
}

async function decline(context: CommandContext, id: string, options: DeclineOptions): Promise<void> {
  if (options.yes !== true) await askToDecline(context, id);
  showRecord(context, await declined(context, id, options));
}

/** Throws CliError unless a person says yes. */
async function askToDecline(context: CommandContext, id: string): Promise<void> {
  const { signal, host } = context;
  if (!host.canAsk) throw usageError('An action is declined only after you were asked.', 'Without a terminal: --yes');
  const record = await context.market().actions.get(id, { signal });
  const described = describeAction(record as unknown as PreparedAction, { nowMs: host.now() });
  // Only here, so that no other command reads it.
  const { confirm } = await import('@clack/prompts');
  const yes = await confirm({
    output: process.stderr,
    message: `Decline this? Nobody can sign it any more: ${plain(described?.sentence ?? record.kind)}`,
  });
  // Ctrl-C is a symbol.
  if (yes !== true) throw new CliError({ exit: EXIT.declined, what: 'Nothing was changed.', code: 'declined' });
}

/** Of several keys the market takes that of the scope which prepared the action, and says so of the others. */
async function declined(
  context: CommandContext,
  id: string,
  { idempotencyKey }: DeclineOptions,
): Promise<ActionRecord> {
  const { actions } = context.market();
  const { credentials } = context.settings;
  const options = { signal: context.signal, idempotencyKey };
  const [first = 'read', ...others] =
    credentials?.type === 'keys' ? SCOPES.filter((scope) => credentials.keys[scope] !== undefined) : [];
  let answer = actions.decline(id, { scope: first, ...options });
  for (const scope of others) {
    answer = answer.catch((error: unknown) => {
      if (error instanceof MarketError && error.code === 'insufficient_scope')
        return actions.decline(id, { scope, ...options });
      throw error;
    });
  }
  return answer;
}

/** The page of an action, where it is one of the market: only there is it safe to send a person. Throws CliError. */
function pageOf({ settings }: CommandContext, { signing_url: url, status }: ActionRecord): string {
  const origin = settings.deployment?.signingOrigin ?? new URL(settings.url).origin;
  if (url !== undefined && new URL(url).origin === new URL(origin).origin) return url;
  throw new CliError({
    exit: url === undefined ? EXIT.conflict : EXIT.verification,
    what:
      url === undefined
        ? `This action has no page to open: it is ${status}, or another credential has prepared it.`
        : 'The page of this action is not one of the market. It was not opened.',
    code: url === undefined ? 'no_signing_url' : 'verification_failed',
  });
}

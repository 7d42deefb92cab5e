import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { describeAction, type ExpectedMembers, holdsOnceSigned } from '#libs/prepared-action';
import {
  type ActionRecord,
  type Eip1193Wallet,
  MarketError,
  type Marketplace,
  MarketUnreachable,
  matchCode,
  type PrepareOptions,
  type SignableAction,
  type WaitOptions,
  timeLimit,
} from '#libs/sdk';
import { commandWallet } from '#libs/sdk/node';
import type { CommandContext } from '../frame/command-context.js';
import { idempotencyOption, wholeNumber } from '../frame/frame.js';
import { ActionUnderWay, CliError, EXIT, usageError } from '../output/cli-error.js';
import { plain } from '../output/plain-text.js';
import { time } from '../output/shown-values.js';
import { textRecord } from '../output/text-table.js';
import { readJson } from './input-file.js';

/** What every command can be given that prepares an action. */
export interface PerformOptions {
  readonly open?: boolean;
  readonly wait?: boolean;
  /** A command that signs. */
  readonly signer?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly idempotencyKey?: string;
  /** A file of members that must be signed so. */
  readonly expect?: string;
  /** Of the task, where the caller is its buyer. */
  readonly arbiter?: string;
}

const ADDRESS = { method: 'eth_requestAccounts', params: [] } as const;
/** Timers that are longer fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Prepare = (
  market: Marketplace,
  options: PrepareOptions & { idempotencyKey: string },
) => PromiseLike<SignableAction>;

/** Adds what every command has that prepares an action. */
export function withPerforming(command: Command): Command {
  return command
    .option('--open', 'open the page where a person signs it')
    .option('--wait', 'wait until it has come to its end')
    .option('--signer <command>', 'a command that signs and sends it: it is asked in JSON (EIP-1193) and answers so')
    .option('--expect <file>', 'members of what is signed that must be as in this JSON: {"terms": {"worker": "0x…"}}')
    .addOption(timeoutOption())
    .addOption(idempotencyOption());
}

/** For what the buyer signs before the escrow is there: its address follows from who may rule. */
export function arbiterOption(): Option {
  return new Option('--arbiter <address>', 'who decides a dispute, where you have named somebody for the task');
}

export function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'wait no longer').argParser(wholeNumber);
}

/**
 * Prepares an action and shows it once it has passed the checks; then has the signer sign and send it, or waits for a person,
 * as the options say. Throws what the SDK throws, and ActionUnderWay for what goes wrong behind the preparation.
 */
export async function perform(context: CommandContext, options: PerformOptions, prepare: Prepare): Promise<void> {
  if (context.settings.deployment === undefined) throw notPinned();
  const wallet = options.signer === undefined ? undefined : walletOf(options.signer);
  // Asked meanwhile, because it is a process of its own. What it refuses is thrown where its address is needed.
  void wallet?.request(ADDRESS).catch(() => undefined);
  const action = await prepared(context, options, wallet, prepare);
  show(context, action);
  try {
    await followed(context, options, wallet, action);
  } catch (error) {
    throw new ActionUnderWay(action.id, error);
  }
}

async function prepared(
  context: CommandContext,
  { idempotencyKey = randomUUID(), expect, arbiter }: PerformOptions,
  wallet: Eip1193Wallet | undefined,
  prepare: Prepare,
): Promise<SignableAction> {
  const market = context.market();
  const expects = expect === undefined ? {} : { expects: await membersIn(context, expect) };
  // A page makes the checks with its own wallet.
  const tree =
    arbiter === undefined || wallet === undefined ? {} : { tree: { buyer: await addressOf(wallet), arbiter } };
  try {
    return await prepare(market, { signal: context.signal, idempotencyKey, ...expects, ...tree });
  } catch (error) {
    // Of all that was sent so far, only the preparation makes something new, and under its key it does so once.
    if (error instanceof MarketUnreachable || error instanceof MarketError) Object.assign(error, { idempotencyKey });
    throw error;
  }
}

/** What the person knows of the action. Throws CliError where the file says nothing. */
async function membersIn({ host }: CommandContext, file: string): Promise<ExpectedMembers> {
  const members = await readJson(host, file);
  if (typeof members === 'object' && members !== null && Object.keys(members).length > 0) {
    return members as ExpectedMembers;
  }
  throw usageError(`${file} has no members.`, 'Such as {"terms": {"worker": "0x…"}}');
}

async function followed(
  context: CommandContext,
  { open, wait, timeout }: PerformOptions,
  wallet: Eip1193Wallet | undefined,
  action: SignableAction,
): Promise<void> {
  const { host, out } = context;
  const options = waitOptions(context, timeout);
  // A chain executes in seconds what it makes final in an hour: the one is told before the other is waited for.
  const first = { ...options, until: 'confirmed' } as const;
  if (wallet !== undefined) return ended(context, action, await action.send(wallet, first), options);
  if (open === true) host.openUrl(action.signingUrl);
  out.note(
    wait === true ? '\nWaiting for the signature …' : `\nWhat becomes of it: tasktree actions wait ${action.id}`,
  );
  if (wait === true) await ended(context, action, await action.wait(first), options);
}

/** Shows how it has ended, and waits on where that can still be undone. */
async function ended(
  context: CommandContext,
  action: SignableAction,
  record: ActionRecord,
  options: WaitOptions,
): Promise<void> {
  showRecord(context, record);
  if (record.status !== 'confirmed' || holdsOnceSigned(action.kind) || context.until === 'confirmed') return;
  context.out.note('Waiting until it is final, which takes about an hour. Ctrl-C ends nothing but the waiting.');
  showRecord(context, await action.wait({ ...options, until: 'final' }));
}

/** The limit begins now, and is one for all that is waited for with these options. */
export function waitOptions({ signal }: CommandContext, timeout: number | undefined): WaitOptions {
  if (timeout === undefined) return { signal };
  return { signal: AbortSignal.any([signal, timeLimit(Math.min(timeout * 1000, LONGEST_TIMER_MS))]) };
}

/** What has become of an action. */
export function showRecord({ out }: CommandContext, record: ActionRecord): void {
  const { status, transaction_hash: hash } = record;
  out.item(record, () => `${out.styled('green', '✓')} ${plain(status)}${hash ? `  transaction ${plain(hash)}` : ''}`);
}

function show({ out, host }: CommandContext, { action, kind, checks, digest, signingUrl }: SignableAction): void {
  const described = describeAction(action, { nowMs: host.now() });
  const passed = checks.filter(({ status }) => status === 'passed').length;
  const code = matchCode(digest);
  const value = {
    action_id: action.action_id,
    kind,
    task_id: action.task_id,
    node_id: action.node_id,
    summary: described?.sentence,
    match_code: code,
    signing_url: signingUrl,
    expires_at: action.expires_at,
    digest,
    checks: { passed, open: checks.length - passed },
  };
  out.item(value, () =>
    [
      out.styled('bold', plain(described?.sentence ?? kind)),
      ...(described === null ? [] : [plain(described.worstCase)]),
      '',
      ...textRecord([
        ['match code', code],
        ['sign here', signingUrl],
        ['until', time(action.expires_at)],
        ['task', action.task_id],
        ['action', action.action_id],
        [
          'checks',
          `${passed} of ${checks.length} passed${passed < checks.length ? ', the rest are made with the wallet' : ''}`,
        ],
      ]),
    ].join('\n'),
  );
}

/** The person's own command line, as their shell reads it. It is asked once for its address, because some ask the person. */
function walletOf(signer: string): Eip1193Wallet {
  const wallet =
    process.platform === 'win32'
      ? commandWallet('cmd', ['/d', '/s', '/c', signer])
      : commandWallet('sh', ['-c', signer]);
  let accounts: Promise<unknown> | undefined;
  return {
    request: (question) =>
      question.method === ADDRESS.method ? (accounts ??= wallet.request(question)) : wallet.request(question),
  };
}

async function addressOf(wallet: Eip1193Wallet): Promise<string> {
  const accounts = await wallet.request(ADDRESS);
  return String((accounts as unknown[] | null)?.[0]);
}

function notPinned(): CliError {
  return new CliError({
    exit: EXIT.failed,
    what: 'The chain and the contracts of this market are not pinned, so no action of it can be checked.',
    advice: 'tasktree doctor shows and pins them',
    code: 'not_pinned',
  });
}

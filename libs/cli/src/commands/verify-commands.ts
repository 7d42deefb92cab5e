import type { Command } from 'commander';
import { requestDigestOf, sha256Hex } from '#libs/prepared-action';
import { type Check, type Deployment, timeLimit, verifyPreparedAction } from '#libs/sdk';
import { readBytes, readJson } from '../actions/input-file.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { CliError, EXIT, type ExitCode, usageError } from '../output/cli-error.js';
import { plain } from '../output/plain-text.js';

interface VerifyOptions {
  kind?: string;
  account?: string;
  wallet?: string;
  task?: string;
  node?: string;
  body?: string;
  digest?: string;
  deployment?: string;
}

const ANSWER_MS = 20_000;
const LARGEST_BYTES = 1_000_000;
const SIGNS = { passed: ['green', '✓'], failed: ['red', '✗'], unknown: ['yellow', '?'] } as const;
/** Checks that say nothing as long as nobody has said what was asked for. */
const NEEDS = { kind: 1, account: 2 } as const;

/** What works without an account and without the market. */
export function verifyCommands(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('verify')
      .description('Check an action that somebody has prepared, offline: exit 0 when nothing is wrong, else 1')
      .argument('<source>', 'a file, - for standard input, or an https address')
      .option('--kind <kind>', 'what you asked for, such as fund_task')
      .option('--account <id>', 'the account that you act for')
      .option('--wallet <address>', 'the wallet that will sign')
      .option('--task <task>', 'the task that you asked about')
      .option('--node <node>', 'the node that you asked about')
      .option('--body <file>', 'the body of your request as JSON')
      .option('--digest <digest>', 'the digest that you were shown elsewhere')
      .option('--deployment <file>', 'chain and contracts of the market as JSON; absent: those of the profile')
      .action(frame.run(verify)),
    'verify action.json --kind fund_task --account acct_1 --body request.json',
    'verify - --kind deliver --deployment market.json < action.json',
  );
  withExamples(
    program
      .command('hash')
      .description('Show the SHA-256 of a file as deliveries name it, and of JSON the digest of it as a request')
      .argument('<file>', 'a file, - for standard input')
      .action(frame.run(hash)),
    'hash work.pdf',
    'hash request.json',
  );
}

async function verify(context: CommandContext, source: string, options: VerifyOptions): Promise<ExitCode> {
  const { out, host } = context;
  const action = await actionOf(context, source);
  const deployment = await deploymentFor(context, options.deployment);
  const told = action as { kind?: unknown; principal?: unknown } | null;
  const intent = {
    // What was not said is taken from the action, and its row then says that it was not checked.
    kind: options.kind?.replaceAll('-', '_') ?? textOf(told?.kind),
    principal: options.account ?? textOf(told?.principal),
    wallet: options.wallet,
    taskId: options.task,
    nodeId: options.node,
    body: options.body === undefined ? undefined : await readJson(host, options.body),
    digest: options.digest,
  };
  const rows = verifyPreparedAction(action, intent, { deployment, nowMs: host.now(), readings: [] }).map((row) =>
    said(row, options),
  );
  const failed = rows.filter(({ status }) => status === 'failed');
  const open = rows.filter(({ status }) => status === 'unknown');
  const verdict = failed.length > 0 ? 'failed' : 'passed';
  out.answer({ verdict, failed: failed.length, unknown: open.length, checks: rows }, () => [
    ...rows.map(({ number, title, status, detail }) => {
      const [style, sign] = SIGNS[status];
      return `${out.styled(style, sign)} ${String(number).padStart(2)}  ${plain(title)}${status === 'passed' ? '' : `\n      ${plain(detail)}`}`;
    }),
    '',
    failed.length > 0
      ? out.styled('red', `${failed.length} of ${rows.length} checks failed. Do not sign it.`)
      : `Nothing is wrong with it. ${open.length === 0 ? '' : `${open.length} checks could not be made here.`}`.trim(),
  ]);
  return failed.length > 0 ? EXIT.failed : EXIT.ok;
}

/** The row, or that it could not say anything because the reader has not said what was asked for. */
function said(row: Check, options: VerifyOptions): Check {
  const missing = (Object.keys(NEEDS) as (keyof typeof NEEDS)[]).find(
    (option) => NEEDS[option] === row.number && options[option] === undefined,
  );
  if (missing === undefined || row.status !== 'passed') return row;
  return { ...row, status: 'unknown', detail: `You have not said it: --${missing}` };
}

async function actionOf({ host, signal }: CommandContext, source: string): Promise<unknown> {
  if (!/^https?:\/\//.test(source)) return readJson(host, source);
  const until = AbortSignal.any([signal, timeLimit(ANSWER_MS)]);
  const response = await host.fetch(source, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: until,
  });
  const text = await response.text();
  try {
    if (response.ok && text.length <= LARGEST_BYTES) return JSON.parse(text) as unknown;
  } catch {
    // Told below.
  }
  throw usageError('There is no action as JSON at this address.', 'Save the action in a file, and name that');
}

async function deploymentFor(context: CommandContext, file: string | undefined): Promise<Deployment> {
  if (file !== undefined) return (await readJson(context.host, file)) as Deployment;
  const { settings } = context;
  // Without a profile there may be no market, and what is checked here needs none.
  const pinned = settings.profile === undefined ? undefined : settings.deployment;
  if (pinned !== undefined) return pinned;
  throw new CliError({
    exit: EXIT.usage,
    what: 'It is not known which chain and contracts this market has.',
    advice: '--deployment FILE, or pin them: tasktree login, tasktree doctor',
    code: 'not_pinned',
  });
}

async function hash({ out, host }: CommandContext, file: string): Promise<void> {
  const bytes = await readBytes(host, file);
  const value = { artifact_hash: sha256Hex(bytes), request_digest: digestOf(bytes) };
  out.record(value, [
    ['artifact hash', value.artifact_hash],
    ['request digest', value.request_digest],
  ]);
}

/** Undefined: it is no JSON. */
function digestOf(bytes: Buffer): string | undefined {
  try {
    return requestDigestOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

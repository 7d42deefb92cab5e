import type { Command } from 'commander';
import { askOf, type Deployment } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.js';
import { plain } from '../output/plain-text.js';
import { authorizationServerOf } from '../sign-in/authorization-server.js';
import { deploymentOf, differences, shownDeployment } from '../sign-in/pinned-deployment.js';

/** What was looked at, how it is, and what to do where it is not well. */
interface Row {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly advice?: string;
}

const ANSWER_MS = 20_000;
/** The `Date` of an answer has whole seconds, and is as old as its way. */
const SKEW_WARN_MS = 5_000;
/** By then actions end before they can be signed, or tokens seem to. */
const SKEW_FAIL_MS = 60_000;
const SIGNS = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const;

/** What is wrong, where something is. */
export function doctorCommand(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('doctor')
      .description('Look at everything that a command needs, and pin the chain and contracts where none are pinned')
      .action(frame.run(doctor)),
    'doctor',
    'doctor --json',
  );
}

async function doctor(context: CommandContext): Promise<ExitCode> {
  const { out, settings } = context;
  const rows: Row[] = [];
  rows.push({ check: 'profile', status: 'ok', detail: `${settings.name}, ${settings.url}` });
  const seen = await attempt('market', () => reach(context));
  rows.push(...seen);
  if (seen.every(({ status }) => status !== 'fail')) {
    rows.push(...(await attempt('sign-in', () => signIn(context))));
    rows.push(...(await attempt('contracts', () => contracts(context))));
    rows.push(...(await attempt('blockchain node', () => chain(context))));
    rows.push(...(await attempt('credential', () => credential(context))));
  }
  const isWell = rows.every(({ status }) => status !== 'fail');
  const width = Math.max(...rows.map(({ check }) => check.length));
  out.answer({ ok: isWell, rows }, () =>
    rows.flatMap(({ check, status, detail, advice }) => {
      const [style, sign] = SIGNS[status];
      const line = `${out.styled(style, sign)} ${check.padEnd(width)}  ${plain(detail)}`;
      return advice === undefined ? [line] : [line, `  ${''.padEnd(width)}  → ${plain(advice)}`];
    }),
  );
  return isWell ? EXIT.ok : EXIT.failed;
}

/** The rows of one look; what it throws is a row that has failed. */
async function attempt(check: string, look: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await look();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const advice = error instanceof CliError ? error.fault.advice : undefined;
    return [{ check, status: 'fail', detail, ...(advice === undefined ? {} : { advice }) }];
  }
}

async function reach({ host, settings }: CommandContext): Promise<Row[]> {
  const begun = host.now();
  const response = await host.fetch(`${settings.url}/.well-known/tasktree-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const ended = host.now();
  await response.arrayBuffer();
  if (!response.ok) {
    const detail = `${settings.url} answers with ${response.status}: it is no market, or a gateway before it does not let this through`;
    return [{ check: 'market', status: 'fail', detail, advice: 'Check the address' }];
  }
  const version = response.headers.get('Service-Version');
  const answered = `answers in ${ended - begun} ms${version === null ? '' : `, version ${version}`}`;
  const rows: Row[] = [{ check: 'market', status: 'ok', detail: answered }];
  const theirs = Date.parse(response.headers.get('Date') ?? '');
  if (Number.isNaN(theirs)) return rows;
  const skewMs = Math.max(0, theirs - ended, begun - theirs - 1_000);
  const status = skewMs > SKEW_FAIL_MS ? 'fail' : skewMs > SKEW_WARN_MS ? 'warn' : 'ok';
  const detail = status === 'ok' ? 'as the market’s' : `${Math.round(skewMs / 1000)} s from the market’s`;
  return [
    ...rows,
    { check: 'clock', status, detail, ...(status === 'ok' ? {} : { advice: 'Set the clock of this machine' }) },
  ];
}

async function signIn({ host, settings }: CommandContext): Promise<Row[]> {
  const { issuer } = await authorizationServerOf(host.fetch, settings.url);
  return [{ check: 'sign-in', status: 'ok', detail: `at ${issuer}` }];
}

async function contracts(context: CommandContext): Promise<Row[]> {
  const { settings, out, host } = context;
  const told = await deploymentOf(settings.url, host.fetch);
  const { deployment: pinned } = settings;
  if (pinned === undefined) {
    out.note([`${settings.url} says that it is:`, ...shownDeployment(told), ''].join('\n'));
    settings.save({ deployment: told });
    context.forgetSettings();
    const detail = `chain ${told.chainId}, escrow factory ${told.factory}: pinned now`;
    return [{ check: 'contracts', status: 'warn', detail, advice: 'Compare them with what the operator publishes' }];
  }
  const changed = differences(pinned, told);
  if (changed.length === 0) return [{ check: 'contracts', status: 'ok', detail: `chain ${pinned.chainId}, as pinned` }];
  const advice =
    'Sign nothing, and ask the operator elsewhere. Only if it is right: tasktree logout --forget, and log in again';
  return [{ check: 'contracts', status: 'fail', detail: changed.join('; '), advice }];
}

async function chain(context: CommandContext): Promise<Row[]> {
  const check = 'blockchain node';
  const { rpcUrl, deployment } = context.settings;
  if (rpcUrl === undefined) {
    const advice = 'Name one that you trust: tasktree login --rpc-url, or TASKTREE_RPC_URL';
    return [{ check, status: 'warn', detail: 'none: what needs the chain is checked when the wallet signs', advice }];
  }
  if (deployment === undefined) return [];
  const ask = askOf(rpcUrl, context.host.fetch, ANSWER_MS);
  const id = Number(await ask('eth_chainId', []));
  if (id !== deployment.chainId) {
    return [
      {
        check,
        status: 'fail',
        detail: `It is on chain ${id}, the market on ${deployment.chainId}`,
        advice: 'Name another',
      },
    ];
  }
  const places: readonly (keyof Deployment)[] = ['factory', 'implementation', 'usdc'];
  for (const place of places) {
    const code = await ask('eth_getCode', [deployment[place], 'latest']);
    if (code === '0x')
      return [{ check, status: 'fail', detail: `It has no contract at ${place} ${deployment[place]}` }];
  }
  return [{ check, status: 'ok', detail: `chain ${id}, and the contracts are there` }];
}

async function credential(context: CommandContext): Promise<Row[]> {
  const check = 'credential';
  const { credentials } = context.settings;
  if (credentials === undefined) {
    return [{ check, status: 'warn', detail: 'none: only verify, hash and open work', advice: 'tasktree login' }];
  }
  const me = await context.market().me({ signal: context.signal });
  const scopes = credentials.type === 'keys' ? Object.keys(credentials.keys) : me.credential.scopes;
  const rows: Row[] = [{ check, status: 'ok', detail: `${credentials.from}: ${scopes.join(', ')}` }];
  if (me.wallets.some(({ signs }) => signs)) return rows;
  const advice = `Link one: ${context.settings.url}/account/wallets`;
  return [...rows, { check: 'wallet', status: 'warn', detail: 'none of the account signs', advice }];
}

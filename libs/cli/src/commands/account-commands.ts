import { type Command, Option } from 'commander';
import type { Deployment, Scope } from '#libs/sdk';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { CliError, EXIT, usageError } from '../output/cli-error.js';
import { marketUrl, SCOPES } from '../profile/settings.js';
import { authorizationServerOf, isRegistered, postForm, registerClient } from '../sign-in/authorization-server.js';
import { deploymentOf, differences, shownDeployment } from '../sign-in/pinned-deployment.js';
import { signInByBrowser } from '../sign-in/loopback-sign-in.js';

/** Each key names its scope, as the service writes keys. */
const KEY = /^mkt_(?:live|test)_([rbwo])_[0-9A-Za-z]{36}$/;
const SCOPE_OF_LETTER: Readonly<Record<string, Scope>> = { r: 'read', b: 'buyer', w: 'worker', o: 'agent-owner' };

interface LoginOptions {
  withKey?: boolean;
  scopes: Scope[];
  rpcUrl?: string;
  browser: boolean;
}

/** Who one is, and at which market. */
export function accountCommands(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('login')
      .description('Sign in to a market, and pin its chain and contracts')
      .argument('[url]', 'address of the market; absent: that of the profile')
      .option('--with-key', 'read API keys from standard input, one a line, instead of opening a browser')
      .addOption(new Option('--scopes <names>', 'what to ask for').argParser(scopesIn).default(SCOPES, SCOPES.join()))
      .option('--rpc-url <url>', 'a blockchain node that you trust, which actions are checked with')
      .option('--no-browser', 'show the address, and open nothing')
      .action(frame.run(login)),
    'login https://market.example',
    'login https://market.example --scopes read,buyer',
    'login https://market.example --with-key < keys.txt',
  );
  withExamples(
    program
      .command('logout')
      .description('End the access of this machine')
      .option('--forget', 'forget the market as well: its address, chain and contracts')
      .action(frame.run(logout)),
    'logout',
  );
  withExamples(
    program.command('whoami').description('Show who you are, and what you may do').action(frame.run(whoami)),
    'whoami',
    'whoami --json',
  );
  withExamples(
    program
      .command('status')
      .description('Show the market, the credential, and the actions that wait for a signature')
      .action(frame.run(status)),
    'status',
  );
}

async function login(context: CommandContext, given: string | undefined, options: LoginOptions): Promise<void> {
  const { settings, out, host } = context;
  const url = given === undefined ? settings.url : marketUrl(given);
  const kept =
    settings.profile?.url === undefined || marketUrl(settings.profile.url) !== url ? undefined : settings.profile;
  refuseVariables(context, url);
  // Before anybody signs in: a profile of another market is not overwritten.
  const deployment = await pinned(context, url, kept?.deployment);
  settings.save({ deployment, ...(options.rpcUrl === undefined ? {} : { rpcUrl: options.rpcUrl }) }, url);
  if (options.withKey === true) {
    if (host.canAsk) out.note('Paste the keys, one a line, and end with Ctrl-D.');
    const keys = keysIn((await host.readStdin()).toString('utf8'));
    settings.save({ keys: { ...kept?.keys, ...keys }, tokens: undefined }, url);
  } else {
    const server = await authorizationServerOf(host.fetch, url);
    const before = kept?.clientId;
    const isKnown = before !== undefined && (await isRegistered(host.fetch, server, before));
    const clientId = isKnown ? before : await registerClient(host.fetch, server);
    settings.save({ clientId, tokenEndpoint: server.token_endpoint }, url);
    const { fetch, now, signal } = host;
    const show = (address: string): void => {
      out.warn(`Sign in here: ${address}`);
      if (options.browser && host.canAsk) host.openUrl(address);
    };
    const { scopes } = options;
    const tokens = await signInByBrowser({ fetch, now, signal, server, clientId, resource: url, scopes, show });
    settings.save({ tokens, keys: undefined }, url);
  }
  context.forgetSettings();
  await whoami(context);
}

/** Variables come before the profile: a credential of theirs, meant for another market, would be what goes to this one. */
function refuseVariables({ settings }: CommandContext, url: string): void {
  const { url: given, credentials } = settings.variables;
  const name = given !== undefined && marketUrl(given) !== url ? 'TASKTREE_URL' : credentials?.from;
  if (name === undefined) return;
  throw usageError(`${name} is set, and comes before what this would save.`, `Unset ${name}, and log in again`);
}

/** What the person pins, once. Throws CliError where the market has become another. */
async function pinned(context: CommandContext, url: string, kept: Deployment | undefined): Promise<Deployment> {
  const { out, host } = context;
  const read = await deploymentOf(url, host.fetch);
  if (kept !== undefined) {
    const changed = differences(kept, read);
    if (changed.length === 0) return kept;
    throw new CliError({
      exit: EXIT.verification,
      what: 'The market names another chain or other contracts than those that you have pinned.',
      why: changed.join('; '),
      advice: 'Ask the operator elsewhere. Only if that is right: tasktree logout --forget, and log in again',
      code: 'deployment_changed',
    });
  }
  const shown = [`${url} says that it is:`, ...shownDeployment(read)].join('\n');
  if (!host.canAsk) out.warn(shown);
  else {
    // A person is at the terminal, also where a program reads the answer.
    host.err.write(`${shown}\n\n`);
    // Only here, so that no other command reads it.
    const { confirm, isCancel } = await import('@clack/prompts');
    const yes = await confirm({
      output: process.stderr,
      message: 'Is this what its operator publishes? Actions are checked against it from now on.',
    });
    if (isCancel(yes) || !yes)
      throw new CliError({ exit: EXIT.declined, what: 'Nothing was pinned.', code: 'declined' });
  }
  return read;
}

async function logout(
  { settings, out, host }: CommandContext,
  { forget = false }: { forget?: boolean },
): Promise<void> {
  const { profile, file } = settings;
  const token = profile?.tokens?.refresh ?? profile?.tokens?.access;
  if (profile !== undefined && token !== undefined && profile.clientId !== undefined) {
    try {
      const { revocation_endpoint: url } = await authorizationServerOf(host.fetch, profile.url);
      if (url !== undefined) await postForm(host.fetch, url, { token, client_id: profile.clientId });
    } catch {
      out.warn(`The market could not be told. End the access there: ${profile.url}/account/apps`);
    }
  }
  if (forget) file.remove();
  else if (profile !== undefined) file.write({ ...profile, tokens: undefined, keys: undefined });
  out.answer({ signed_in: false }, () => ['Signed out.']);
}

async function whoami(context: CommandContext): Promise<void> {
  const { out, settings, signal } = context;
  const me = await context.market().me({ signal });
  const { account, wallets, credential } = me;
  const { credentials } = settings;
  out.record(me, [
    ['account', account.name === undefined ? account.id : `${account.name} (${account.id})`],
    ['wallets', wallets.map(({ address, signs }) => (signs ? `${address} (signs)` : address)).join(', ')],
    ['may', (credentials?.type === 'keys' ? Object.keys(credentials.keys) : credential.scopes).join(', ')],
    ['by', credentials?.from],
    ['market', settings.url],
  ]);
}

async function status(context: CommandContext): Promise<void> {
  const { out, settings, signal } = context;
  const { url, deployment, credentials, name } = settings;
  const waiting =
    credentials === undefined
      ? []
      : await context.market().actions.list({ status: 'prepared', signal }).toArray({ limit: 20 });
  const value = {
    profile: name,
    url,
    signed_in: credentials !== undefined,
    credential: credentials?.from ?? null,
    chain_id: deployment?.chainId ?? null,
    actions_to_sign: waiting.map(({ action_id, kind, expires_at }) => ({ action_id, kind, expires_at })),
  };
  out.record(value, [
    ['profile', name],
    ['market', url],
    ['credential', credentials?.from ?? 'none: tasktree login'],
    ['chain', deployment?.chainId ?? 'not pinned: tasktree doctor'],
    ['to sign', waiting.map(({ kind, action_id: id }) => `${kind} ${id}`).join(', ') || 'nothing'],
  ]);
}

function scopesIn(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = SCOPES.find((one) => one === name.trim());
    if (scope !== undefined) return scope;
    throw usageError(`There is no scope ${name}.`, `Scopes are ${SCOPES.join(', ')}`);
  });
}

/** The keys of a text, one a line, by their scopes. Never repeats one in what it says. */
function keysIn(text: string): Partial<Record<Scope, string>> {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines
    .filter((line) => line !== '')
    .map((line) => [SCOPE_OF_LETTER[KEY.exec(line)?.[1] ?? ''], line] as const);
  if (keys.length === 0 || keys.some(([scope]) => scope === undefined)) {
    throw usageError('Standard input has no API keys, one a line.', 'They begin with mkt_live_ or mkt_test_');
  }
  return Object.fromEntries(keys);
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Wallet } from 'ethers';
import { account, api, localMarket } from '../../support/market.js';
import { Person } from '../../support/oauth/person.js';

/** The built program, as somebody runs it who has installed it, at the market of the e2e specs. */
const market = localMarket();
const SIGNER = `${process.execPath} ${resolve('test/e2e/cli/cli-signer.mjs')}`;
const [BUYER, WORKER] = ['Bo', 'Lena'];
const TITLE = `A job by command line ${randomUUID()}`;
/** The commands of the page for newcomers. */
const FIRST_MINUTES = /<!-- run by a test: first minutes -->\n+```sh\n([^]*?)```/.exec(
  readFileSync('docs/cli.md', 'utf8'),
)?.[1];
const FIVE_MINUTES_MS = 3 * 60_000;

interface Ended {
  code: number | null;
  out: string;
  err: string;
  /** The lines of the output as JSON. */
  lines: any[];
}

let folder: string;
const running: ChildProcess[] = [];
/** Everything that any of them has said. */
let said = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-cli-'));
  execFileSync(process.execPath, ['libs/sdk/tools/build-packages.mjs', '--cli', folder]);
  writeFileSync(join(folder, 'tasktree'), `#!/bin/sh\nexec ${process.execPath} ${folder}/dist/tasktree.js "$@"\n`);
  chmodSync(join(folder, 'tasktree'), 0o755);
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const profileOf = (who: string) => join(folder, who, 'tasktree/default.json');
const readProfile = (who: string) => JSON.parse(readFileSync(profileOf(who), 'utf8'));

/** The environment of somebody who has no profile. */
const NOBODY = () => ({ XDG_CONFIG_HOME: join(folder, 'nobody') });

/** Starts a command line of somebody with a folder and a wallet of their own. */
function start(who: string, argv: string[], { env = {}, stdin = '' }: { env?: object; stdin?: string } = {}) {
  const child = spawn(join(folder, 'tasktree'), argv, {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      XDG_CONFIG_HOME: join(folder, who),
      WALLET_ADDRESS: account(who).wallet_address,
      WALLET_KEY: account(who).wallet_private_key,
      RPC_URL: market.rpc_url,
      ...env,
    },
  });
  running.push(child);
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((out += text), (said += text)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => ((err += text), (said += text)));
  child.stdin.end(stdin);
  const ended = new Promise<Ended>((end) =>
    child.once('close', (code) => end({ code, out, err, lines: jsonLines(out) })),
  );
  return { child, ended, heard: (pattern: RegExp) => heard(child, pattern, () => out + err) };
}

function jsonLines(text: string): any[] {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  }
}

function heard(child: ChildProcess, pattern: RegExp, text: () => string): Promise<string> {
  return new Promise((found, never) => {
    const look = () => {
      const match = pattern.exec(text());
      if (match) found(match[1] ?? match[0]);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', (code) => never(new Error(`Ended with ${code} without ${pattern}:\n${text()}`)));
    look();
  });
}

async function run(who: string, ...argv: string[]): Promise<any[]> {
  const { code, err, lines } = await start(who, argv).ended;
  expect([argv.join(' '), code, err]).toEqual([argv.join(' '), 0, '']);
  return lines;
}

async function fault(who: string, ...argv: string[]): Promise<any> {
  const { code, out, err } = await start(who, argv).ended;
  expect(out).toBe('');
  const { error } = JSON.parse(err);
  expect(error.exit_code).toBe(code);
  return error;
}

describe('signing in', () => {
  it('is done in the browser, with a code that comes back to this machine', async () => {
    const login = start(BUYER!, ['login', market.base_url, '--rpc-url', market.rpc_url]);
    const url = await login.heard(/Sign in here: (http[^"\s]+)/);
    const { searchParams } = new URL(url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    const person = new Person(market.base_url, new Wallet(account(BUYER!).wallet_private_key));
    const back = await person.authorize(url);
    expect(back.hostname).toBe('127.0.0.1');
    // Somebody else who finds the port ends nothing.
    const forged = new URL(back);
    forged.searchParams.set('state', 'another');
    expect((await fetch(forged)).status).toBe(404);
    expect(await (await fetch(back)).text()).toContain('You are signed in.');
    const { code, lines } = await login.ended;
    expect([code, lines[0].account.id]).toEqual([0, account(BUYER!).account_id]);
    expect(lines[0].credential.scopes).toEqual(expect.arrayContaining(['read', 'buyer']));
    expect(statSync(profileOf(BUYER!)).mode & 0o777).toBe(0o600);
    expect(readProfile(BUYER!).deployment.chainId).toBe(market.chain_id);
  });

  it('ends by itself and goes on by itself, also where two commands notice it at once', async () => {
    const before = readProfile(BUYER!);
    writeFileSync(profileOf(BUYER!), JSON.stringify({ ...before, tokens: { ...before.tokens, expiresAt: 0 } }));
    await Promise.all([run(BUYER!, 'whoami'), run(BUYER!, 'whoami'), run(BUYER!, 'status')]);
    expect(readProfile(BUYER!).tokens.access).not.toBe(before.tokens.access);
    await run(BUYER!, 'whoami');
  });

  it('with keys reads them from standard input', async () => {
    const stdin = Object.values(account(WORKER!).keys).join('\n');
    const argv = ['login', market.base_url, '--with-key', '--rpc-url', market.rpc_url];
    expect((await start(WORKER!, argv, { stdin }).ended).code).toBe(0);
    const [{ ok, rows }] = await run(WORKER!, 'doctor');
    expect([ok, rows.map(({ status }: any) => status)]).toEqual([true, rows.map(() => 'ok')]);
    expect((await start(WORKER!, argv, { stdin: 'no key\n', env: NOBODY() }).ended).code).toBe(2);
  });
});

it('plays a job from its creation to the withdrawn pay, each action signed by a command', async () => {
  const signed = ['--signer', SIGNER];
  const terms = ['--title', TITLE, '--brief', 'Translate 40 pages.', '--budget', '60', '--tier', 'public'];
  const [created, opened] = await run(BUYER!, 'tasks', 'create', ...terms, ...signed);
  expect(created).toMatchObject({ kind: 'create_task', match_code: expect.stringMatching(/^[A-Z]+ [A-Z]+ \d\d$/) });
  expect(opened.status).toBe('signed');
  const task = created.task_id;
  expect(await run(BUYER!, 'actions', 'wait', created.action_id)).toMatchObject([{ status: 'signed' }]);

  const [agent] = (await run(WORKER!, 'agents', 'list', '--mine')).filter(({ status }: any) => status === 'active');
  await run(WORKER!, 'quotes', 'submit', task, '--price', '60', '--agent', agent.id, ...signed);
  const [quote] = await run(BUYER!, 'quotes', 'list', '--task', task);
  await run(BUYER!, 'prepare', 'select-agent', task, '--quote', quote.id, ...signed);
  const [, funded] = await run(BUYER!, 'prepare', 'fund-task', task, '--quote', quote.id, ...signed);
  expect(funded).toMatchObject({ status: 'confirmed', transaction_hash: expect.stringMatching(/^0x/) });

  expect(await fault(BUYER!, 'prepare', 'fund-task', task, '--quote', quote.id)).toMatchObject({ exit_code: 5 });

  writeFileSync(join(folder, 'work.txt'), 'Forty pages, in French.');
  const [node] = await run(WORKER!, 'nodes', task);
  await run(WORKER!, 'prepare', 'deliver', task, 'work.txt', '--node', node.id, '--no-pay-out', ...signed);
  const [delivery] = await run(BUYER!, 'deliveries', '--task', task);
  const [{ artifact_hash }] = await run(BUYER!, 'hash', 'work.txt');
  expect(delivery.artifact_hash).toBe(artifact_hash);
  await run(BUYER!, 'prepare', 'resolve-task', task, ...signed);
  const to = account(WORKER!).wallet_address;
  const [paid] = await run(WORKER!, 'prepare', 'withdraw-earnings', '--to', to, '--task', task, ...signed);
  expect(paid.summary).toContain('60.00 USDC');
  const [receipt] = await run(BUYER!, 'receipts', '--task', task);
  expect(receipt).toMatchObject({ outcome: 'released', amount: { amount: '60.00' } });
  const events = await run(BUYER!, 'api', 'GET', '/v1/events', '-f', `task_id=${task}`, '--paginate');
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['task.funded', 'task.resolved']));
});

it('repeats a preparation under its key as the same one', async () => {
  const argv = ['tasks', 'create', '--brief', 'Twice.', '--budget', '1', '--idempotency-key', randomUUID()];
  const [first] = await run(BUYER!, ...argv);
  const [second] = await run(BUYER!, ...argv);
  expect(second.action_id).toBe(first.action_id);
  expect((await fault(BUYER!, ...argv.with(5, '2'))).exit_code).toBe(5);
});

describe('what does not work ends with a code of its own', () => {
  it('2: not understood, here and by the market', async () => {
    expect(await fault(BUYER!, 'tasks', 'nope')).toMatchObject({ exit_code: 2, code: 'usage' });
    expect(await fault(BUYER!, 'tasks', 'create', '--brief', 'x', '--budget', 'much')).toMatchObject({ exit_code: 2 });
  });

  it('3: no credential, or one that is not accepted', async () => {
    const env = { TASKTREE_URL: market.base_url, TASKTREE_READ_KEY: 'mkt_test_r_000000000000000000000000000000000000' };
    for (const own of [env, { TASKTREE_URL: market.base_url }]) {
      const { code, err } = await start(WORKER!, ['whoami'], { env: { ...own, ...NOBODY() } }).ended;
      expect([code, JSON.parse(err).error.advice]).toEqual([3, expect.stringContaining('tasktree login')]);
    }
  });

  it('4: not there, with the id of the request', async () => {
    const error = await fault(BUYER!, 'tasks', 'show', 'task_01k9q2m4t8v6w0y2z4a6c8e0g2');
    expect(error).toMatchObject({ exit_code: 4, code: 'not_found', request_id: expect.any(String) });
  });

  it('6: the market has prepared something else than what was asked for, and 1: it names other contracts', async () => {
    const kept = readProfile(BUYER!);
    const factory = '0x'.padEnd(42, '1');
    writeFileSync(profileOf(BUYER!), JSON.stringify({ ...kept, deployment: { ...kept.deployment, factory } }));
    const argv = ['tasks', 'create', '--brief', 'x', '--budget', '1', '--signer', SIGNER];
    expect(await fault(BUYER!, ...argv)).toMatchObject({ exit_code: 6, why: expect.stringContaining('escrow') });
    const { code, lines } = await start(BUYER!, ['doctor']).ended;
    const row = lines[0].rows.find(({ check }: any) => check === 'contracts');
    expect([code, row.status, row.detail]).toEqual([1, 'fail', expect.stringContaining(`pinned is ${factory}`)]);
    writeFileSync(profileOf(BUYER!), JSON.stringify(kept));
  });

  it('3: a profile that others can read is not used', async () => {
    chmodSync(profileOf(BUYER!), 0o644);
    expect(await fault(BUYER!, 'whoami')).toMatchObject({ exit_code: 3, advice: expect.stringContaining('chmod 600') });
    chmodSync(profileOf(BUYER!), 0o600);
  });
});

it('a newcomer comes from nothing to a signed action with the commands of the page', async () => {
  const script = (FIRST_MINUTES ?? 'exit 1')
    .replaceAll('http://127.0.0.1:3000', market.base_url)
    .replaceAll('./.tasktree/local.json', process.env.TEST_MARKET_FILE!);
  writeFileSync(join(folder, 'first-minutes.sh'), script);
  const env = { XDG_CONFIG_HOME: join(folder, 'newcomer'), PATH: `${folder}:${process.env.PATH}` };
  const begun = performance.now();
  const shell = spawn('sh', ['-e', join(folder, 'first-minutes.sh')], { cwd: folder, env });
  running.push(shell);
  let out = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => ((out += text), (said += text)));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => ((out += text), (said += text)));
  const ended = new Promise((end) => shell.once('close', end));
  // The person signs, as the page does: the last command waits for it.
  const id = await heard(shell, /"action_id":"(act_\w+)"/, () => out);
  const buyer = api(account('Ada'), 'buyer');
  const { body } = await api(account('Ada'), 'read')(`/v1/actions/${id}`);
  const { EIP712Domain: _own, ...types } = body.payload.types;
  const wallet = new Wallet(account('Ada').wallet_private_key);
  const signature = await wallet.signTypedData(body.payload.domain, types, body.payload.message);
  const headers = { 'Idempotency-Key': randomUUID() };
  expect((await buyer(`/v1/actions/${id}/submissions`, { body: { signature }, headers })).status).toBeLessThan(300);
  expect([await ended, out.split('\n').at(-2)]).toEqual([0, expect.stringContaining('"status":"signed"')]);
  expect(performance.now() - begun).toBeLessThan(FIVE_MINUTES_MS);
});

it('logout ends the access, and has not registered the program twice', async () => {
  const { clientId, tokens } = readProfile(BUYER!);
  await run(BUYER!, 'logout');
  const after = await fetch(`${market.base_url}/v1/me`, { headers: { Authorization: `Bearer ${tokens.access}` } });
  expect(after.status).toBe(401);
  expect(await fault(BUYER!, 'whoami')).toMatchObject({ exit_code: 3, code: 'not_signed_in' });
  const again = start(BUYER!, ['login']);
  const url = await again.heard(/Sign in here: (http[^"\s]+)/);
  expect(new URL(url).searchParams.get('client_id')).toBe(clientId);
  again.child.kill('SIGINT');
  expect((await again.ended).code).toBe(130);
  // The service has deleted the registration, as it does after a day without access.
  writeFileSync(profileOf(BUYER!), JSON.stringify({ ...readProfile(BUYER!), clientId: 'forgotten' }));
  const anew = start(BUYER!, ['login']);
  const other = new URL(await anew.heard(/Sign in here: (http[^"\s]+)/)).searchParams.get('client_id');
  expect([other, readProfile(BUYER!).clientId]).toEqual([expect.not.stringMatching('forgotten'), other]);
  anew.child.kill('SIGINT');
  await anew.ended;
  expect([tokens.access, tokens.refresh].filter((secret) => said.includes(secret))).toEqual([]);
});

it('has said no key to anybody', () => {
  const secrets = [BUYER!, WORKER!, 'Ada'].flatMap((who) => [
    ...Object.values(account(who).keys),
    account(who).wallet_private_key,
  ]);
  expect(said.length).toBeGreaterThan(1_000);
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../../test/support/cli-run.js';
import { DEPLOYMENT, NOW, signable, type SignableName } from '../../../../test/support/signable-actions.js';

interface Vector {
  name: string;
  action: unknown;
  intent: {
    kind: string;
    principal: string;
    wallet?: string;
    taskId?: string;
    nodeId?: string;
    body?: unknown;
    digest?: string;
  };
  context: { deployment: unknown; nowMs: number; readings?: unknown[] };
  failing: number[];
}

/** Checks that fail by what a wallet or a blockchain node says. */
const ONLINE = [3, 5, 7, 12];

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tasktree-verify-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No market answers, and there is no profile. */
function verify(argv: readonly string[], action: unknown, nowMs = NOW * 1000, deployment: unknown = DEPLOYMENT) {
  const file = join(folder, 'deployment.json');
  writeFileSync(file, JSON.stringify(deployment));
  return runCli(['verify', '-', '--deployment', file, ...argv], {
    stdin: JSON.stringify(action),
    env: { XDG_CONFIG_HOME: join(folder, 'none') },
    now: () => nowMs,
  });
}

function asked({ kind, principal, wallet, taskId, nodeId, body, digest }: Vector['intent']): string[] {
  const file = join(folder, 'body.json');
  if (body !== undefined) writeFileSync(file, JSON.stringify(body));
  const named = {
    kind,
    account: principal,
    wallet,
    task: taskId,
    node: nodeId,
    body: body === undefined ? undefined : file,
    digest,
  };
  return Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

it('needs no profile where the deployment is given, not even one that can be read', async () => {
  const { action, intent } = signable('deliver');
  mkdirSync(join(folder, 'none/tasktree'), { recursive: true });
  writeFileSync(join(folder, 'none/tasktree/default.json'), '{', { mode: 0o600 });
  expect((await verify(asked(intent), action)).exit).toBe(0);
  rmSync(join(folder, 'none'), { recursive: true });
});

it.each<SignableName>(['create_task', 'fund_task', 'deliver', 'abandon_node', 'withdraw_earnings'])(
  'finds nothing wrong with an honest %s, and says what it could not look at',
  async (name) => {
    const { action, intent } = signable(name);
    const { exit, out, err } = await verify(asked(intent), action);
    const { verdict, checks } = JSON.parse(out);
    expect([exit, err, verdict, checks.length]).toEqual([0, '', 'passed', 15]);
    expect(checks.find(({ name: check }: any) => check === 'state')?.status).not.toBe('failed');
  },
);

it('fails what the vectors of the library fail, without the checks that need a blockchain node', async () => {
  const vectors: Vector[] = JSON.parse(readFileSync('libs/prepared-action/vectors/attacks-the-envelope.json', 'utf8'));
  const offline = vectors.filter(({ failing }) => failing.some((number) => !ONLINE.includes(number))).slice(0, 40);
  expect(offline.length).toBeGreaterThan(20);
  for (const { name, action, intent, context, failing } of offline) {
    const { exit, out } = await verify(asked(intent), action, context.nowMs, context.deployment);
    const { checks } = JSON.parse(out);
    const found = checks.filter(({ status }: any) => status === 'failed').map(({ number }: any) => number);
    expect([name, exit, failing.filter((number) => !ONLINE.includes(number) && !found.includes(number))]).toEqual([
      name,
      1,
      [],
    ]);
  }
});

it('does not say that what was asked for was compared where nobody has said it', async () => {
  const { action } = signable('fund_task');
  const { checks } = JSON.parse((await verify([], action)).out);
  expect(checks.slice(0, 2).map(({ status, detail }: any) => [status, detail])).toEqual([
    ['unknown', 'You have not said it: --kind'],
    ['unknown', 'You have not said it: --account'],
  ]);
});

it('without contracts to compare with ends with 2', async () => {
  const run = await runCli(['verify', '-'], { stdin: 'null', env: { XDG_CONFIG_HOME: join(folder, 'none') } });
  expect(run.exit).toBe(2);
});

it('takes no page for an action', async () => {
  const fetch = async () => new Response('<html>', { status: 200 });
  const argv = ['verify', 'https://market.example/sign/1'];
  expect((await runCli(argv, { fetch, env: { XDG_CONFIG_HOME: folder } })).exit).toBe(2);
});

it('hashes a file as deliveries name it, and JSON as requests are named', async () => {
  const run = (stdin: string) => runCli(['hash', '-'], { stdin });
  expect(JSON.parse((await run('')).out)).toEqual({
    artifact_hash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  });
  const { artifact_hash, request_digest } = JSON.parse((await run('{ }')).out);
  expect(request_digest).toBe('0x44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  expect(artifact_hash).not.toBe(request_digest);
});

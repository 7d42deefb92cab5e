import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeIdOf } from '#libs/notation';
import { runCli } from '../../../../test/support/cli-run.js';
import { DEPLOYMENT, NOW, signable, TASK } from '../../../../test/support/signable-actions.js';
import type { Fetch } from '../../../sdk/src/index.js';
import { ProfileFile } from '../profile/profile-file.js';

const KEYS = { read: 'r-key', buyer: 'b-key', worker: 'w-key', 'agent-owner': 'o-key' };
const { action } = signable('abandon_node');
const COMMAND = ['prepare', 'abandon-node', TASK, action.node_id!];

/** A market that prepares an action. */
class OneActionMarket {
  /** Keys under which something was prepared. */
  readonly prepared = new Set<string>();
  /** The next refusals. */
  private readonly refusals: [status: number, code: string][] = [];

  constructor(private readonly answers: Readonly<Record<string, unknown>> = {}) {}

  readonly fetch: Fetch = async (url, init) => {
    const { 'idempotency-key': key } = init.headers as Record<string, string | undefined>;
    const [status, code] = this.refusals.shift() ?? [];
    if (status !== undefined) {
      const error = { code, reason: 'Later.', suggestion: 'Wait.' };
      return Response.json({ error }, { status, headers: { 'Retry-After': '2' } });
    }
    if (key !== undefined) this.prepared.add(key);
    return Response.json(this.answerTo(new URL(url).pathname));
  };

  refuse(status: number, code = 'later'): void {
    this.refusals.push([status, code]);
  }

  private answerTo(pathname: string): unknown {
    if (pathname in this.answers) return this.answers[pathname];
    return pathname === '/v1/me' ? { account: { id: 'acct_1' } } : action;
  }
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-prepare-'));
  const profile = { url: 'https://market.example', keys: KEYS, deployment: { ...DEPLOYMENT } };
  new ProfileFile(join(folder, 'tasktree'), 'default').write(profile);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (market: { fetch: Fetch }, argv: readonly string[], isTTY = false) =>
  runCli(argv, {
    fetch: market.fetch,
    env: { XDG_CONFIG_HOME: folder },
    isTTY,
    now: () => NOW * 1000,
    pause: async () => undefined,
  });

it('shows a person the sentence, the worst case, the match code and the link, and opens the page', async () => {
  const { exit, out, opened } = await run(new OneActionMarket(), [...COMMAND, '--open'], true);
  expect(exit).toBe(0);
  expect(out).toMatch(/^Give up .*\nWorst case for you: .*\n\nmatch code {2}[A-Z]+ [A-Z]+ \d\d\nsign here {3}https:/);
  expect(opened).toEqual([action.signing_url]);
});

it('says when the chain has executed it, and then waits until that stays', async () => {
  const statuses = ['opened', 'confirmed', 'confirmed', 'final'];
  const answers = {
    get '/v1/actions/act_1'() {
      return { ...action, status: statuses.length > 1 ? statuses.shift() : statuses[0] };
    },
  };
  const { exit, out } = await run(new OneActionMarket(answers), [...COMMAND, '--wait']);
  const lines = out.trim().split('\n');
  expect([exit, lines.map((line) => JSON.parse(line).status)]).toEqual([0, [undefined, 'confirmed', 'final']]);
});

it('the limit of time is one for all that is waited for', async () => {
  const begun = performance.now();
  const market = new OneActionMarket();
  const fetch: Fetch = async (url, init) => {
    if (url.includes('/stream')) return new Response('', { status: 404 });
    if (!url.endsWith('/v1/actions/act_1')) return market.fetch(url, init);
    // Executed after most of the time, and never final.
    const status = performance.now() - begun > 2_100 ? 'confirmed' : 'submitted';
    return Response.json({ ...action, status }, { headers: { 'Poll-Interval': '0.05' } });
  };
  const { exit, out, err } = await run({ fetch }, [...COMMAND, '--wait', '--timeout', '3']);
  expect([exit, JSON.parse(err).error.code]).toEqual([1, 'timeout']);
  expect(JSON.parse(out.trim().split('\n').at(-1) ?? '').status).toBe('confirmed');
  // One for each would be five seconds.
  expect(performance.now() - begun).toBeLessThan(4_800);
}, 30_000);

it.each([
  ['another kind', { ...action, kind: 'deliver' }],
  ['another link', { ...action, signing_url: 'https://market.example.evil/sign/1' }],
  ['another task', { ...action, task_id: 'task_01kb3n2w4m6p8r0t2v4x6z8b0e' }],
  ['nothing', null],
])('shows and opens nothing of %s than was asked for, and ends with 6', async (_what, answer) => {
  const path = `/v1/tasks/${TASK}/nodes/${action.node_id}/abandon-intents`;
  const { exit, out, err, opened } = await run(new OneActionMarket({ [path]: answer }), [...COMMAND, '--open']);
  expect([exit, out, opened]).toEqual([6, '', []]);
  expect(JSON.parse(err).error.code).toBe('verification_failed');
});

it('prepares nothing where no contracts are pinned, and says how they are', async () => {
  const market = new OneActionMarket();
  const env = { XDG_CONFIG_HOME: join(folder, 'none'), TASKTREE_URL: 'https://market.example', TASKTREE_TOKEN: 't' };
  const { exit, err } = await runCli(COMMAND, { fetch: market.fetch, env });
  expect([exit, market.prepared.size]).toEqual([1, 0]);
  expect(JSON.parse(err).error.advice).toContain('tasktree doctor');
});

it.each([
  ['resolve-task', 'resolution', { resolution: 'accept' }],
  ['reject-task', 'reject-intents', {}],
])('%s names one of several root nodes, or a node below, and not both', async (command, operation, body) => {
  const [root, other] = [nodeIdOf(TASK, 1n), nodeIdOf(TASK, 2n)];
  const sent: [string, unknown][] = [];
  const market = new OneActionMarket();
  const fetch: Fetch = async (url, init) => {
    if (init.body) sent.push([new URL(url).pathname, JSON.parse(await new Response(init.body).text())]);
    return market.fetch(url, init);
  };
  await run({ fetch }, ['prepare', command, TASK, '--root', root]);
  expect(sent).toEqual([[`/v1/tasks/${TASK}/${operation}`, { ...body, node_id: root }]]);
  const both = await run({ fetch }, ['prepare', command, TASK, '--root', root, '--node', other]);
  expect([both.exit, sent.length]).toEqual([2, 1]);
});

describe('what becomes of an action is told by the exit code', () => {
  const wait = (status: string) =>
    run(new OneActionMarket({ '/v1/actions/act_1': { ...action, status } }), ['actions', 'wait', 'act_1']);

  it.each([
    ['final', 0],
    ['declined', 8],
    ['expired', 9],
    ['failed', 1],
    ['superseded', 1],
  ])('%s', async (status, exit) => {
    expect((await wait(status)).exit).toBe(exit);
  });

  it('a refusal for too many requests ends with 7', async () => {
    const market = new OneActionMarket();
    market.refuse(429);
    market.refuse(429);
    market.refuse(429);
    const { exit, err } = await run(market, ['actions', 'show', 'act_1']);
    expect([exit, JSON.parse(err).error.advice]).toEqual([7, 'Wait. Again after 2 s.']);
  });

  it('one is declined once a person was asked, or with --yes, with the key that prepared it', async () => {
    const declined = { ...action, status: 'declined' };
    const market = new OneActionMarket({ '/v1/actions/act_1/declines': declined });
    const asked = await run(market, ['actions', 'decline', 'act_1']);
    expect([asked.exit, market.prepared.size]).toEqual([2, 0]);
    market.refuse(403, 'insufficient_scope');
    market.refuse(403, 'insufficient_scope');
    const said = await run(market, ['actions', 'decline', 'act_1', '--yes', '--idempotency-key', 'k1']);
    expect([said.exit, JSON.parse(said.out).status, [...market.prepared]]).toEqual([0, 'declined', ['k1']]);
    market.refuse(409, 'state_conflict');
    expect((await run(market, ['actions', 'decline', 'act_1', '--yes'])).exit).toBe(5);
  });

  it('no page of somebody else is opened', async () => {
    const signing_url = 'https://evil.example/sign/1';
    const market = new OneActionMarket({ '/v1/actions/act_1': { ...action, status: 'prepared', signing_url } });
    const { exit, opened } = await run(market, ['actions', 'open', 'act_1']);
    expect([exit, opened]).toEqual([6, []]);
  });
});

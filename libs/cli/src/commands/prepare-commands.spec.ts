import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../../test/support/cli-run.js';
import { DEPLOYMENT, NOW, signable, TASK } from '../../../../test/support/signable-actions.js';
import { Random } from '../../../../test/support/walk/random.js';
import { ProfileFile } from '../profile/profile-file.js';

/** 10,000 were tried when this was written; CI has time for fewer. */
const RUNS = Number(process.env.CLI_FAULT_RUNS ?? 200);
const SEED = 20261128;
const KEYS = { read: 'r-key', buyer: 'b-key', worker: 'w-key', 'agent-owner': 'o-key' };
const { action } = signable('abandon_node');
const COMMAND = ['prepare', 'abandon-node', TASK, action.node_id!];

type Fault = 'before' | 'inside' | 'after' | 429 | 502 | 503 | 504;
const FAULTS: readonly Fault[] = ['before', 'inside', 'after', 429, 502, 503, 504];

/** A market that prepares an action, behind a network with faults, of which each takes one attempt. */
class FaultyMarket {
  /** Keys under which something was prepared. */
  readonly prepared = new Set<string>();
  readonly faults: (Fault | undefined)[] = [];

  constructor(private readonly answers: Readonly<Record<string, unknown>> = {}) {}

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { 'idempotency-key': key } = init.headers as Record<string, string | undefined>;
    const { pathname } = new URL(url);
    const fault = this.faults.shift();
    if (fault === 'before') throw new TypeError('fetch failed');
    if (fault === 429 || fault === 503) return refusal(fault);
    if (key !== undefined) this.prepared.add(key);
    if (fault === 'after') throw new TypeError('fetch failed');
    // A gateway that gives up, while what is behind it goes on.
    if (typeof fault === 'number') return refusal(fault);
    const text = JSON.stringify(this.answerTo(pathname));
    if (fault === 'inside') return new Response(brokenAfter(text.slice(0, 9)), { status: 200 });
    return new Response(text, { status: 200, headers: { 'Content-Type': 'application/json' } });
  };

  private answerTo(pathname: string): unknown {
    if (pathname in this.answers) return this.answers[pathname];
    return pathname === '/v1/me' ? { account: { id: 'acct_1' } } : action;
  }
}

function refusal(status: number, code = 'later'): Response {
  const error = { code, reason: 'Later.', suggestion: 'Wait.' };
  return new Response(JSON.stringify({ error }), { status, headers: { 'Retry-After': '2' } });
}

function brokenAfter(text: string): ReadableStream {
  const chunks = [new TextEncoder().encode(text)];
  return new ReadableStream({
    pull: (controller) => {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new TypeError('terminated'));
      else controller.enqueue(chunk);
    },
  });
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-prepare-'));
  const profile = { url: 'https://market.example', keys: KEYS, deployment: { ...DEPLOYMENT } };
  new ProfileFile(join(folder, 'tasktree'), 'default').write(profile);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (market: FaultyMarket, argv: readonly string[], isTTY = false) =>
  runCli(argv, {
    fetch: market.fetch,
    env: { XDG_CONFIG_HOME: folder },
    isTTY,
    now: () => NOW * 1000,
    pause: async () => undefined,
  });

it(`${RUNS} calls over a network with random faults prepare one action each, repeated as the errors say`, async () => {
  const chance = new Random(SEED);
  let repeated = 0;
  for (let at = 0; at < RUNS; at += 1) {
    const market = new FaultyMarket();
    const count = Math.floor(chance.next() * 12);
    for (let one = 0; one < count; one += 1) market.faults.push(FAULTS[Math.floor(chance.next() * FAULTS.length)]);
    let [argv, answer] = [COMMAND as readonly string[], await run(market, COMMAND)];
    while (answer.exit !== 0 && argv.length > 1) {
      argv = (/Safe to repeat: tasktree ([^"]+)/.exec(JSON.parse(answer.err).error.advice)?.[1] ?? '').split(' ');
      answer = await run(market, argv);
      repeated += 1;
    }
    expect(JSON.parse(answer.out).action_id).toBe('act_1');
    expect([at, market.prepared.size]).toEqual([at, 1]);
  }
  expect(repeated).toBeGreaterThan(RUNS / 4);
});

it('shows a person the sentence, the worst case, the match code and the link, and opens the page', async () => {
  const { exit, out, opened } = await run(new FaultyMarket(), [...COMMAND, '--open'], true);
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
  const { exit, out } = await run(new FaultyMarket(answers), [...COMMAND, '--wait']);
  const lines = out.trim().split('\n');
  expect([exit, lines.map((line) => JSON.parse(line).status)]).toEqual([0, [undefined, 'confirmed', 'final']]);
});

it.each([
  ['another kind', { ...action, kind: 'deliver' }],
  ['another link', { ...action, signing_url: 'https://market.example.evil/sign/1' }],
  ['another task', { ...action, task_id: 'task_01kb3n2w4m6p8r0t2v4x6z8b0e' }],
  ['nothing', null],
])('shows and opens nothing of %s than was asked for, and ends with 6', async (_what, answer) => {
  const path = `/v1/tasks/${TASK}/nodes/${action.node_id}/abandon-intents`;
  const { exit, out, err, opened } = await run(new FaultyMarket({ [path]: answer }), [...COMMAND, '--open']);
  expect([exit, out, opened]).toEqual([6, '', []]);
  expect(JSON.parse(err).error.code).toBe('verification_failed');
});

it('prepares nothing where no contracts are pinned, and says how they are', async () => {
  const market = new FaultyMarket();
  const env = { XDG_CONFIG_HOME: join(folder, 'none'), TASKTREE_URL: 'https://market.example', TASKTREE_TOKEN: 't' };
  const { exit, err } = await runCli(COMMAND, { fetch: market.fetch, env });
  expect([exit, market.prepared.size]).toEqual([1, 0]);
  expect(JSON.parse(err).error.advice).toContain('tasktree doctor');
});

describe('what becomes of an action is told by the exit code', () => {
  const wait = (status: string) =>
    run(new FaultyMarket({ '/v1/actions/act_1': { ...action, status } }), ['actions', 'wait', 'act_1']);

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
    const market = new FaultyMarket();
    market.faults.push(429, 429, 429);
    const { exit, err } = await run(market, ['actions', 'show', 'act_1']);
    expect([exit, JSON.parse(err).error.advice]).toEqual([7, 'Wait. Again after 2 s.']);
  });

  it('no page of somebody else is opened', async () => {
    const signing_url = 'https://evil.example/sign/1';
    const market = new FaultyMarket({ '/v1/actions/act_1': { ...action, status: 'prepared', signing_url } });
    const { exit, opened } = await run(market, ['actions', 'open', 'act_1']);
    expect([exit, opened]).toEqual([6, []]);
  });
});

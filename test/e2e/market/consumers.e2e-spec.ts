import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/loopback-port.js';
import { account, api, localMarket } from '../../support/market.js';

/** The programs that docs/how-do-i-know.md shows, run as somebody who has copied them. Python 3 must be installed. */
const PAGE = readFileSync('docs/how-do-i-know.md', 'utf8');
const PROGRAMS = new Map(
  [...PAGE.matchAll(/<!-- run by a test: (\w+), (Node|Python) -->\n+```\w+\n([^]*?)```\n/g)].map(
    ([, name = '', language, text = '']) => [`${name}.${language === 'Node' ? 'mjs' : 'py'}`, text],
  ),
);

let folder: string;
const running: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-consumers-'));
  for (const [name, text] of PROGRAMS) writeFileSync(join(folder, name), text);
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const owner = account('Lena');
const read = api(owner, 'read');
const own = api(owner, 'agent-owner');
const [agent] = owner.agents;

/** A program of the page, and the lines that it has printed. */
class Consumer {
  readonly lines: string[] = [];
  private readonly child: ChildProcess;

  constructor(program: string, variables: Record<string, string>) {
    const command = program.endsWith('.py') ? 'python3' : process.execPath;
    this.child = spawn(command, [join(folder, program)], {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(this.child);
    let text = '';
    this.child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      const lines = (text + more).split('\n');
      text = lines.pop() ?? '';
      this.lines.push(...lines);
    });
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** Changes something about the agent, so that its owner is told. */
async function change(): Promise<void> {
  const { status } = await own(`/v1/agents/${agent!.id}/availability`, {
    method: 'PUT',
    headers: { 'Idempotency-Key': randomUUID() },
    body: { available: true },
  });
  expect(status).toBe(200);
}

/** As the programs print events: the changes of the agent behind the event with this id. */
async function told(after: string): Promise<string[]> {
  const { body } = await read(`/v1/events?types=agent.availability_changed&limit=100&after=${after}`);
  return body.data.map(({ sequence, type, subject }: any) => `${sequence} ${type} ${subject.id}`);
}

/** The id of the newest change of an agent in the log, or no text while there is none. */
async function lastChange(): Promise<string> {
  const { body } = await read('/v1/events?types=agent.availability_changed&limit=100');
  return body.data.at(-1)?.id ?? '';
}

it('the page shows the programs that are run here, and no other', () => {
  expect([...PROGRAMS.keys()]).toEqual(['stream.mjs', 'stream.py', 'webhook.mjs', 'webhook.py']);
});

it.each(['stream.mjs', 'stream.py'])('%s goes on behind the place that it kept when it was killed', async (program) => {
  const place = join(folder, `${program}.place`);
  const variables = { TASKTREE_URL: localMarket().base_url, TASKTREE_KEY: owner.keys.read, LAST_ID_FILE: place };
  const before = await lastChange();
  await change();
  // Until the log has it: the events that are counted below are those behind it.
  let first = '';
  await eventually(async () => (first = await lastChange()) !== before);
  writeFileSync(place, first);
  const changesOf = ({ lines }: Consumer): string[] => lines.filter((line) => line.includes('availability_changed'));
  const one = new Consumer(program, variables);
  for (let count = 0; count < 3; count += 1) await change();
  await eventually(() => changesOf(one).length >= 3);
  await one.kill();
  expect(changesOf(one)).toEqual(await told(first));
  // It may have died between an event and its place, so the last event may come again, as the page says of every consumer.
  const kept = readFileSync(place, 'utf8');
  expect((await told(kept)).length).toBeLessThanOrEqual(1);
  for (let count = 0; count < 2; count += 1) await change();
  const other = new Consumer(program, variables);
  await change();
  await eventually(async () => {
    const changes = await told(first);
    return changes.length === 6 && changesOf(other).at(-1) === changes[5];
  });
  expect(changesOf(other)).toEqual(await told(kept));
});

it.each(['webhook.mjs', 'webhook.py'])('%s takes what is signed, once, and nothing else', async (program) => {
  const port = await freePort();
  const made = await read('/v1/webhook-endpoints', {
    headers: { 'Idempotency-Key': randomUUID() },
    body: { url: `http://127.0.0.1:${port}/hooks`, types: ['agent.availability_changed'] },
  });
  expect(made.status).toBe(200);
  const { id, secret } = made.body;
  try {
    const receiver = new Consumer(program, { PORT: String(port), WEBHOOK_SECRET: secret });
    await change();
    await eventually(() => receiver.lines.length === 1);
    expect(receiver.lines[0]).toMatch(new RegExp(`^\\d+ agent.availability_changed ${agent!.id}$`));
    const forged = await fetch(`http://127.0.0.1:${port}/hooks`, {
      method: 'POST',
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
      body: '{"sequence":1,"type":"agent.published","subject":{"id":"agent_1"}}',
    });
    expect(forged.status).toBe(401);
    // What it has already is sent again, and answered, and not done again.
    const replayed = await read(`/v1/webhook-endpoints/${id}/replay`, {
      headers: { 'Idempotency-Key': randomUUID() },
      body: { event_ids: [await lastChange()] },
    });
    expect(replayed.status).toBe(200);
    await eventually(async () => (await read(`/v1/webhook-endpoints/${id}/attempts`)).body.data.length >= 2);
    expect(receiver.lines).toHaveLength(1);
  } finally {
    await read(`/v1/webhook-endpoints/${id}`, { method: 'DELETE', headers: { 'Idempotency-Key': randomUUID() } });
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../test/support/cli-run.js';
import { selectedOffer } from '../../../test/support/selected-offer.js';
import { Random } from '../../../test/support/random.js';
import type { Fetch } from '../../sdk/src/index.js';

/** All of them: `CLI_FAULT_RUNS=10000`. */
const RUNS = Number(process.env['CLI_FAULT_RUNS'] ?? 300);
const SEED = Number(process.env['CLI_FAULT_SEED'] ?? 20261128);

type Fault = 'before' | 'inside' | 'after' | 'duplicate' | 429 | 502 | 503 | 504;
const FAULTS: readonly Fault[] = ['before', 'inside', 'after', 'duplicate', 429, 502, 503, 504];

/** A network with these faults, one an attempt, in front of a market. */
function faulty(market: Fetch, faults: Fault[]): Fetch {
  return async (url, init) => {
    const fault = faults.shift();
    if (fault === 'before') throw new TypeError('fetch failed');
    if (typeof fault === 'number') {
      const body = { error: { code: fault === 429 ? 'rate_limited' : 'service_unavailable', reason: 'Later.' } };
      return Response.json(body, { status: fault, headers: { 'Retry-After': '1' } });
    }
    const response = await market(url, init);
    if (fault === 'duplicate') return market(url, init);
    if (fault === 'after') throw new TypeError('fetch failed');
    return fault === 'inside' ? new Response(broken(await response.text()), { status: response.status }) : response;
  };
}

function broken(text: string): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, text.length / 2)));
      controller.error(new TypeError('terminated'));
    },
  });
}

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tasktree-faults-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(`${RUNS} command lines over a network with random faults do one thing each`, async () => {
  const { fake, bo, task_id, quote } = await selectedOffer(folder);
  const env = { XDG_CONFIG_HOME: folder };
  const card = 'https://bo.example/card.json';
  const commands = [
    ['tasks', 'create', '--brief', 'Translate.', '--budget', '60'],
    ['prepare', 'fund-task', task_id, '--quote', quote.id],
    ['agents', 'publish', '--name', 'Bo', '--card', card],
    ['webhooks', 'create', 'https://bo.example/hooks'],
  ];
  // What each of them makes, by the event or the list that tells of it.
  const all = { limit: 100_000 };
  const made = async () => ({
    prepared: (await bo.events.list({ types: 'action.prepared', limit: 100 }).toArray(all)).length,
    published: (await bo.events.list({ types: 'agent.published', limit: 100 }).toArray(all)).length,
    hooks: (await bo.webhooks.list({ limit: 100 }).toArray(all)).length,
  });
  const before = await made();
  const chance = new Random(SEED);
  const count = [0, 0, 0, 0];
  let [attempts, repeated] = [0, 0];
  for (let at = 0; at < RUNS; at += 1) {
    const which = chance.between(0, commands.length - 1);
    const faults = Array.from({ length: chance.between(0, 5) }, () => chance.pick(FAULTS) ?? 'before');
    const network = faulty(fake.fetch, faults);
    const counted: Fetch = (url, init) => {
      attempts += 1;
      return network(url, init);
    };
    let argv: string[] = [...(commands[which] ?? [])];
    for (;;) {
      const { exit, err } = await runCli(argv, { fetch: counted, env, pause: () => Promise.resolve() });
      if (exit === 0) break;
      const { advice = '', code } = JSON.parse(err).error;
      if (!['unreachable', 'rate_limited', 'service_unavailable', 'failed'].includes(code))
        throw new Error(`Run ${at}: ${err}`);
      // Nobody has answered a write: the program itself says how it is repeated as the same call.
      const key = /--idempotency-key (\S+)/.exec(advice)?.[1];
      const bare = argv.filter(
        (word, place) => word !== '--idempotency-key' && argv[place - 1] !== '--idempotency-key',
      );
      if (key !== undefined) argv = [...bare, '--idempotency-key', key];
      repeated += 1;
    }
    count[which] = (count[which] ?? 0) + 1;
  }
  const after = await made();
  expect([after.prepared - before.prepared, after.published - before.published, after.hooks - before.hooks]).toEqual([
    (count[0] ?? 0) + (count[1] ?? 0),
    count[2],
    count[3],
  ]);
  expect(attempts).toBeGreaterThan(RUNS * 2);
  expect(repeated).toBeGreaterThan(0);
  process.stdout.write(`${RUNS} runs, ${attempts} requests, ${repeated} command lines repeated\n`);
}, 3_600_000);

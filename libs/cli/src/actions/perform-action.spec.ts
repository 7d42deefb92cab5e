import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CliRun, runCli } from '../../../../test/support/cli-run.js';
import { selectedOffer } from '../../../../test/support/selected-offer.js';
import type { Fetch } from '../../../sdk/src/index.js';
import type { FakeMarket } from '../../../sdk/src/testing.js';

/** Hands each question to the wallet of the test, which is in this process. */
const SIGNER = `fetch(process.argv[2], { method: 'POST', body: require('fs').readFileSync(0, 'utf8') })
  .then((answer) => answer.text()).then((text) => process.stdout.write(text));`;

let folder: string;
let fake: FakeMarket;
let server: Server;
let signer: string;
/** How often money was sent, and what the wallet was asked. */
let sent: number;
let asked: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-perform-'));
  server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const question = JSON.parse(body);
      asked.push(question.method);
      if (question.method === 'eth_sendTransaction') sent += 1;
      response.end(JSON.stringify({ result: await fake.account('Bo').wallet.request(question) }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  writeFileSync(join(folder, 'signer.cjs'), SIGNER);
  signer = `${process.execPath} ${folder}/signer.cjs http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** The command line that pays a selected offer. */
async function payment(settles?: 'by_hand'): Promise<string[]> {
  const market = await selectedOffer(folder, settles);
  ({ fake } = market);
  sent = 0;
  asked = [];
  return ['prepare', 'fund-task', market.task_id, '--quote', market.quote.id];
}

const run = (argv: readonly string[], more: CliRun = {}) =>
  runCli(argv, {
    fetch: fake.fetch,
    env: { XDG_CONFIG_HOME: folder },
    now: fake.account('Bo').settings.now,
    pause: () => Promise.resolve(),
    ...more,
  });

const idIn = (out: string): string => JSON.parse(out.split('\n')[0] ?? '').action_id;

describe('a network that goes after the preparation', () => {
  it('with money that was sent asks nobody to repeat the command, but to see what has become of it', async () => {
    const argv = await payment('by_hand');
    const fetch: Fetch = (url, init) =>
      sent > 0 ? Promise.reject(new TypeError('fetch failed')) : fake.fetch(url, init);
    const { exit, out, err } = await run([...argv, '--signer', signer], { fetch });
    const { advice, code } = JSON.parse(err).error;
    expect([exit, code, sent]).toEqual([1, 'unreachable', 1]);
    expect(advice).toContain(`tasktree actions wait ${idIn(out)}`);
    expect(advice).not.toContain('--idempotency-key');
  });

  it('while a person signs asks nobody to repeat the command, either', async () => {
    const argv = await payment('by_hand');
    let prepared = false;
    const fetch: Fetch = async (url, init) => {
      if (prepared && !url.includes('/stream'))
        return Response.json({ error: { code: 'later', reason: 'Later.' } }, { status: 503 });
      const answer = await fake.fetch(url, init);
      prepared ||= url.includes('funding-intents');
      return answer;
    };
    const { exit, out, err } = await run([...argv, '--wait'], { fetch });
    const { advice, code } = JSON.parse(err).error;
    expect([exit, code]).toEqual([1, 'later']);
    expect(advice).toContain(`tasktree actions wait ${idIn(out)}`);
    expect(advice).not.toContain('--idempotency-key');
  });
});

it('a preparation that is repeated after its end has expired, which is no fault of the market', async () => {
  const argv = [...(await payment('by_hand')), '--idempotency-key', 'once'];
  const { out } = await run(argv);
  fake.advance(3_600);
  const { exit, err } = await run(argv);
  const { advice, code } = JSON.parse(err).error;
  expect([exit, code]).toEqual([9, 'expired']);
  expect(advice).toContain(`tasktree actions show ${idIn(out)}`);
});

describe('what a person knows of an action', () => {
  const expecting = (value: unknown) => {
    writeFileSync(join(folder, 'expected.json'), JSON.stringify(value));
    return ['--expect', join(folder, 'expected.json'), '--signer', signer];
  };

  it('is what it is held against, beside what the request says', async () => {
    const argv = await payment();
    const worker = (await fake.account('Lena').wallet.request({ method: 'eth_requestAccounts' })) as string[];
    const { exit, err } = await run([...argv, ...expecting({ terms: { worker: worker[0], workSeconds: 1 } })]);
    expect([exit, JSON.parse(err).error.why, sent]).toEqual([6, expect.stringContaining('terms.workSeconds'), 0]);
    const later = await run([...argv, ...expecting({ terms: { worker: `0x${'1'.repeat(40)}` } })]);
    expect([later.exit, JSON.parse(later.err).error.why]).toEqual([6, expect.stringContaining('terms.worker')]);
    expect(asked).not.toContain('eth_signTypedData_v4');
    const paid = await run([...argv, ...expecting({ terms: { worker: worker[0] } })]);
    expect([paid.exit, sent]).toEqual([0, 1]);
    expect(asked.filter((method) => method === 'eth_requestAccounts')).toHaveLength(3);
  });

  it('is refused where it says nothing', async () => {
    const argv = await payment();
    for (const value of [null, {}, 'terms']) {
      expect([value, (await run([...argv, ...expecting(value)])).exit]).toEqual([value, 2]);
    }
    expect(sent).toBe(0);
  });

  it('is also the arbiter, whom the address of an escrow that is not there yet follows from', async () => {
    const argv = await payment();
    const arbiter = `0x${'1'.repeat(40)}`;
    const { exit, err } = await run([...argv, '--arbiter', arbiter, '--signer', signer]);
    expect([exit, JSON.parse(err).error.code, sent]).toEqual([6, 'verification_failed', 0]);
  });
});

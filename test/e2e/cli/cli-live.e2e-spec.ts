import { Client as NewerClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localParties } from '../../../libs/cli/src/triggering/local-parties.js';
import { unwrapWebhook } from '../../../libs/sdk/src/index.js';
import { runCli } from '../../support/cli-run.js';
import { eventually } from '../../support/eventually.js';
import { account, localMarket } from '../../support/market.js';
import { type Received, WebhookReceiver } from '../../support/webhook-receiver.js';

/** What goes on while a program runs: events, their causes, and an assistant's calls. */
const MARKET = process.env['TEST_MARKET_FILE'] ?? '';
const { base_url: url } = localMarket();

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tasktree-cli-live-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keysOf = (who: string) => {
  const { keys } = account(who);
  return { TASKTREE_URL: url, TASKTREE_READ_KEY: keys.read, TASKTREE_BUYER_KEY: keys.buyer };
};
const run = (argv: string[], more: object = {}) =>
  runCli(argv, { fetch, env: { XDG_CONFIG_HOME: folder, ...keysOf('Bo') }, ...more });

async function trigger(type: string): Promise<any> {
  const { exit, out, err } = await run(['trigger', type, '--market', MARKET]);
  expect([type, exit, err]).toEqual([type, 0, '']);
  return JSON.parse(out);
}

describe('an event is caused', () => {
  it.each(['earnings.withdrawn', 'refund.withdrawn', 'task.matched'])('by doing what it tells of: %s', async (type) => {
    expect((await trigger(type)).type).toBe(type);
  });

  it('by one step where one is enough, and heard by whoever listens, signed', async () => {
    const receiver = await WebhookReceiver.listen();
    const { secret } = JSON.parse((await run(['listen', '--print-secret'])).out);
    const { buyer } = await localParties(MARKET, fetch);
    const before = await trigger('task.created');
    const stop = new AbortController();
    const env = { XDG_CONFIG_HOME: folder, ...keysOf(buyer.name) };
    const argv = ['listen', '--forward-to', `${receiver.url}/hooks`, '--events', 'task.created', '--since', before.id];
    let heard = '';
    const listening = run(argv, { env, signal: stop.signal, said: (all: string) => (heard = all) });
    const event = await trigger('task.created');
    // Not the first that is heard: specs beside this one create tasks of the same buyer.
    await eventually(() => heard.includes(event.id));
    stop.abort(new Error('Stopped.'));
    const { exit, out, err } = await listening;
    await receiver.close();
    expect([exit, err]).toEqual([0, '']);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.find(({ id }) => id === event.id)).toMatchObject({ forwarded: { status: 200 } });
    const { body, headers } = receiver.received.find((one) => one.body.includes(event.id)) as Received;
    await expect(unwrapWebhook(body, headers, secret)).resolves.toEqual(event);
  });

  it.each([
    ['an address elsewhere', { base_url: 'https://market.example' }],
    ['a chain elsewhere', { rpc_url: 'https://mainnet.example' }],
  ])('in no market with %s', async (_what, change) => {
    const file = join(folder, 'other.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(MARKET, 'utf8')), ...change }));
    const { exit, out, err } = await run(['trigger', 'task.created', '--market', file]);
    expect([exit, out, JSON.parse(err).error.code]).toEqual([2, '', 'not_local']);
  });

  it('in no market whose chain is no local one, even on this machine', async () => {
    const node = createServer((_request, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'));
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    const file = join(folder, 'mainnet.json');
    const rpc_url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(MARKET, 'utf8')), rpc_url }));
    const { exit, err } = await run(['trigger', 'task.created', '--market', file]);
    node.close();
    expect([exit, JSON.parse(err).error.code]).toEqual([2, 'not_local']);
    expect(err).toContain('31337 and 1');
  });

  it('by a name that is known alone', async () => {
    expect(await run(['trigger', 'task.nonsense', '--market', MARKET])).toMatchObject({ exit: 2, out: '' });
  });
});

describe('an assistant reaches the market through the program', () => {
  const INFO = { name: 'spec', version: '1' };
  beforeAll(() => execFileSync(process.execPath, ['libs/sdk/tools/build-packages.mjs', '--cli', folder]));
  const started = (...args: string[]) => ({
    command: process.execPath,
    args: [join(folder, 'dist/tasktree.js'), 'mcp', ...args],
    env: { XDG_CONFIG_HOME: folder, ...keysOf('Bo') },
    stderr: 'pipe' as const,
  });

  it.each([
    [
      '2026-07-28',
      () => new NewerClient(INFO, { versionNegotiation: { mode: 'auto' } }),
      (own: any) => new StdioClientTransport(own),
    ],
    ['2025-11-25', () => new OlderClient(INFO), (own: any) => new OlderTransport(own)],
  ])('with the official client of %s', async (revision, client, transport) => {
    const one: any = client();
    await one.connect(transport(started()));
    const spoken = one.getNegotiatedProtocolVersion?.();
    expect(spoken ?? '2025-11-25').toBe(revision);
    const { tools } = await one.listTools();
    expect(tools.map(({ name }: any) => name)).toContain('whoami');
    const { structuredContent, content } = await one.callTool({ name: 'whoami', arguments: {} });
    expect(JSON.stringify(structuredContent ?? content)).toContain(account('Bo').account_id);
    // Several at once, each with its own answer.
    const calls = Array.from({ length: 5 }, () => one.callTool({ name: 'list_tasks', arguments: { limit: 1 } }));
    for (const answer of await Promise.all(calls)) expect(answer.isError ?? false).toBe(false);
    await one.close();
  });

  it('with the tools of the key that was asked for', async () => {
    const client = new OlderClient(INFO);
    await client.connect(new OlderTransport(started('--scope', 'buyer')));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('prepare_create_task');
    await client.close();
  });
});

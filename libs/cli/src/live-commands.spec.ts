import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli, type CliRun } from '../../../test/support/cli-run.js';
import { WebhookReceiver } from '../../../test/support/webhook-receiver.js';
import { type Fetch, Marketplace, unwrapWebhook } from '../../sdk/src/index.js';
import { FakeMarket } from '../../sdk/src/testing.js';
import { type AssistantName, ASSISTANTS, changed, replaceSettings, textOf } from './assistants/assistant-files.js';
import { McpProxy } from './assistants/mcp-proxy.js';

let folder: string;
let fake: FakeMarket;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-live-'));
  fake = new FakeMarket();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Asks the fake market what is for it, and this machine the rest. */
const fetcher: Fetch = (url, init) =>
  url.startsWith(fake.account('Bo').settings.baseUrl) ? fake.fetch(url, init) : fetch(url, init);

function run(argv: string[], more: CliRun = {}) {
  const { baseUrl, keys } = fake.account('Bo').settings;
  const env = {
    XDG_CONFIG_HOME: folder,
    HOME: folder,
    TASKTREE_URL: baseUrl,
    TASKTREE_READ_KEY: keys.read ?? '',
    ...more.env,
  };
  return runCli(argv, { fetch: fetcher, ...more, env });
}

async function answer(...argv: string[]): Promise<any> {
  const { exit, out, err } = await run(argv);
  expect([exit, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('webhooks', () => {
  it('are made, tried, sent again and ended', async () => {
    const url = 'https://bo.example/hooks';
    const made = await answer('webhooks', 'create', url, '--events', 'task.funded,delivery.submitted');
    expect(made).toMatchObject({ url, types: ['task.funded', 'delivery.submitted'] });
    expect(made.secret).toMatch(/^whsec_/);
    expect((await answer('webhooks', 'list')).map(({ id }: any) => id)).toEqual([made.id]);
    const { event_id: id } = await answer('webhooks', 'test', made.id);
    expect(await answer('webhooks', 'replay', made.id, '--event', id)).toEqual({ events: 1 });
    expect(await answer('webhooks', 'attempts', made.id)).toEqual([]);
    expect((await answer('webhooks', 'rotate', made.id)).secret).not.toBe(made.secret);
    await answer('webhooks', 'delete', made.id);
    expect(await answer('webhooks', 'list')).toEqual([]);
  });

  it('are not sent again without saying which', async () => {
    expect(await run(['webhooks', 'replay', 'whe_1'])).toMatchObject({ exit: 2, out: '' });
    expect(await run(['webhooks', 'test', 'whe_1'])).toMatchObject({ exit: 4, out: '' });
  });

  it('show a person their secret, and a list without any', async () => {
    const { out, err } = await run(['webhooks', 'create', 'https://bo.example/hooks'], { isTTY: true });
    expect(out).toMatch(/secret +whsec_/);
    expect(err).toContain('not shown again');
    expect((await run(['webhooks', 'list'], { isTTY: true })).out).not.toContain('whsec_');
  });
});

describe('listening', () => {
  let receiver: WebhookReceiver;
  let url: string;
  /** Statuses of the next answers; 200 behind them. */
  let statuses: number[];
  beforeEach(async () => {
    receiver = await WebhookReceiver.listen();
    url = `${receiver.url}/hooks`;
    statuses = [];
    receiver.answers.set('/hooks', (response) => response.writeHead(statuses.shift() ?? 200, { Location: '/' }).end());
  });
  afterEach(() => receiver.close());

  const emit = (id: string) => {
    const to = fake.account('Bo');
    return fake.events.emit('app.revoked', { to, subject: { kind: 'app', id }, data: {} });
  };

  /** Listens until so many lines were said. */
  function listen(lines: number, ...argv: string[]) {
    const stop = new AbortController();
    const said = (text: string) => {
      if (text.split('\n').length > lines) stop.abort(new Error('Stopped.'));
    };
    return run(['listen', ...argv], { signal: stop.signal, said, pause: async () => undefined });
  }

  it('shows each event as a line of JSON, behind the one that was dealt with', async () => {
    const [first, second, third] = [emit('app_1'), emit('app_2'), emit('app_3')];
    const { exit, out, err } = await listen(2, '--since', first.id, '--events', 'app.revoked');
    expect([exit, err]).toEqual([0, '']);
    expect(
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual([second, third]);
  });

  it('sends events on as the market signs them, and again until they are taken', async () => {
    const { secret } = await answer('listen', '--print-secret');
    expect(await answer('listen', '--print-secret')).toEqual({ secret });
    expect(statSync(join(folder, 'tasktree/default.json')).mode & 0o077).toBe(0);
    const before = emit('app_1');
    const event = emit('app_2');
    statuses = [503, 302];
    const { exit, out } = await listen(1, '--forward-to', url, '--since', before.id);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({ ...event, forwarded: { status: 200, attempts: 3 } });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]));
    for (const { headers, body } of receiver.received) {
      await expect(unwrapWebhook(body, headers, secret)).resolves.toEqual(event);
      await expect(unwrapWebhook(`${body} `, headers, secret)).rejects.toThrow('signature');
    }
  });

  it('goes on behind what a receiver calls gone', async () => {
    const [before] = [emit('app_1'), emit('app_2'), emit('app_3')];
    statuses = [410];
    const { out } = await listen(2, '--forward-to', url, '--since', before.id);
    const forwarded = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).forwarded);
    expect(forwarded).toEqual([
      { status: 410, attempts: 1 },
      { status: 200, attempts: 1 },
    ]);
  });

  it.each(['http://example.com/hooks', 'ftp://127.0.0.1', 'nope', 'https://me:secret@example.com'])(
    'refuses to send events to %s',
    async (to) => {
      expect(await run(['listen', '--forward-to', to])).toMatchObject({ exit: 2, out: '' });
    },
  );

  it('says what the market refuses', async () => {
    expect(await run(['listen', '--since', 'evt_none'])).toMatchObject({ exit: 2, out: '' });
    expect(await run(['listen'], { env: { TASKTREE_READ_KEY: 'wrong' } })).toMatchObject({ exit: 3, out: '' });
  });
});

describe('watching a task', () => {
  let id: string;
  let select: () => Promise<unknown>;
  let fund: () => Promise<unknown>;
  beforeEach(async () => {
    const [buyer, worker] = [fake.account('Bo'), fake.account('Lena')];
    const [bo, lena] = [new Marketplace(buyer.settings), new Marketplace(worker.settings)];
    await lena.agents.publish({ name: 'Lingua-7', agent_card_url: 'https://lingua.example/card.json' });
    const price = { amount: '60', currency: 'USDC' } as const;
    const task = {
      title: 'A logo',
      brief: 'Draw one.',
      budget: price,
      selection_mode: 'manual',
      tier: 'public',
    } as const;
    const { task_id = '' } = await bo.tasks.prepareCreation(task).send(buyer.wallet);
    const { terms_hash = '' } = await lena.tasks.get(task_id);
    await lena.quotes.prepare({ task_id, price, terms_hash }).send(worker.wallet);
    const quote = await bo.quotes.first(task_id);
    id = task_id;
    select = () => bo.tasks.prepareSelection(id, { quote }).send(buyer.wallet);
    fund = () => bo.tasks.prepareFunding(id, { quote }).send(buyer.wallet);
  });

  /** Watches until there is such an event. Does one thing before the stream is open, another once the status was said. */
  function watch(task: string, type: string, before: () => Promise<unknown>, after: () => Promise<unknown>) {
    const stop = new AbortController();
    const said = (out: string) => void (out.includes(type) && stop.abort(new Error('Stopped.')));
    const asking: Fetch = async (url, init) => {
      if (url.includes('/v1/events/stream')) await before();
      return fetcher(url, init);
    };
    const warned = (err: string) => void (err.includes('Ctrl-C') && after());
    return run(['tasks', 'watch', task], { fetch: asking, signal: stop.signal, said, warned, isTTY: true });
  }
  const nothing = async () => undefined;

  it('says its status and shows what happens', async () => {
    const { exit, out, err } = await watch(id, 'task.funded', nothing, () => select().then(fund));
    expect([exit, err]).toEqual([0, 'A logo is open. Ctrl-C ends this.\n']);
    expect(out).toContain(`task.funded  ${id}\n`);
  });

  it('says the status from which it shows all that happens', async () => {
    const { exit, out, err } = await watch(id, 'task.funded', select, fund);
    expect([exit, err]).toEqual([0, 'A logo is selected. Ctrl-C ends this.\n']);
    expect(out).toContain(`task.funded  ${id}\n`);
  });

  it('ends when there is no such task', async () => {
    expect(await watch('task_none', 'task', nothing, nothing)).toMatchObject({ exit: 4, out: '' });
  });
});

describe('an assistant', () => {
  it.each([
    ['claude-code', '.claude.json', '{"theme":"dark","mcpServers":{"other":{"command":"x"}}}'],
    ['cursor', '.cursor/mcp.json', ''],
    ['codex', '.codex/config.toml', 'model = "o"\n\n[mcp_servers.other]\ncommand = "x"\n'],
  ])('%s: nothing is changed without a question, and nothing shown is secret', async (name, file, text) => {
    if (name !== 'cursor') {
      const path = join(folder, file);
      replaceSettings(path, text);
    }
    const { exit, out, err } = await run(['agent', 'setup', name, '--print', '--profile', 'work', '--scope', 'worker']);
    expect([exit, err]).toEqual([0, '']);
    const args = ['-y', '@tasktree/cli', '--profile', 'work', 'mcp', '--scope', 'worker'];
    const entry = { command: 'npx', args };
    expect(JSON.parse(out)).toEqual({ assistant: name, file: join(folder, file), is_set: false, entry });
    expect(await run(['agent', 'setup', name])).toMatchObject({ exit: 2, out: '' });
    expect(textOf(join(folder, file))).toBe(text);
  });

  it.each([
    ['claude-code', '{"theme":"dark","mcpServers":{"other":{"command":"x"}}}'],
    [
      'codex',
      'model = "o"\n\n[mcp_servers.tasktree]\ncommand = "old"\nargs = []\n\n[mcp_servers.other]\ncommand = "x"\n',
    ],
  ])('%s keeps all that is not ours, and is added once', (name, text) => {
    const [assistant, file] = [ASSISTANTS[name as AssistantName], join(folder, 'settings')];
    const entry = { command: 'npx', args: ['-y', '@tasktree/cli', 'mcp'] };
    replaceSettings(file, text);
    const once = changed(assistant, file, entry);
    replaceSettings(file, once);
    expect(changed(assistant, file, entry)).toBe(once);
    expect(once).toMatch(/other/);
    expect(once).toMatch(/theme|model = "o"/);
    expect(once.match(/tasktree(?!\/)/g)).toHaveLength(1);
    expect(once).not.toContain('old');
    expect(once).toMatch(/@tasktree\/cli/);
  });

  it.each([
    ['before the next table', 'command = "old"\n\n# Mine.\n[mcp_servers.other]\ncommand = "x"\n', 4],
    ['with CRLF', 'command = "old"\r\nargs = []\r\n\r\n# Mine.\r\n[mcp_servers.other]\r\n', 3],
    ['around a comment of its own', '# Ours.\n\ncommand = "old"\nargs = [\n  # none\n]\n\n[a]\n', 2],
    ['at the end', '', 0],
  ])('codex keeps the lines around our table %s', (_where, rest, kept) => {
    const eol = rest.includes('\r') ? '\r\n' : '\n';
    const text = `model = "o"${eol}[mcp_servers.tasktree] # by hand${rest === '' ? '' : eol}${rest}`;
    const after = ASSISTANTS.codex.with(text, { command: 'npx', args: ['mcp'] });
    const lines =
      kept === 0
        ? ''
        : rest
            .split('\n')
            .slice(-kept - 1)
            .join('\n');
    expect(after).toBe(`model = "o"${eol}[mcp_servers.tasktree]\ncommand = "npx"\nargs = ["mcp"]\n${lines}`);
  });

  it('finds its file where a link leads, as readable as it was', () => {
    const [kept, link] = [join(folder, 'kept'), join(folder, 'link')];
    writeFileSync(kept, 'old');
    chmodSync(kept, 0o644);
    symlinkSync(kept, link);
    replaceSettings(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect([readFileSync(kept, 'utf8'), statSync(kept).mode & 0o777]).toEqual(['new', 0o644]);
  });

  it('whose file is damaged keeps it', async () => {
    writeFileSync(join(folder, '.claude.json'), '{"mcpServers":');
    const { exit, err } = await run(['agent', 'setup', 'claude-code', '--print']);
    expect([exit, JSON.parse(err).error.code]).toEqual([1, 'file_not_understood']);
    expect(readFileSync(join(folder, '.claude.json'), 'utf8')).toBe('{"mcpServers":');
  });

  it('that is not known is a misuse', async () => {
    for (const name of ['nobody', 'constructor']) {
      expect(await run(['agent', 'setup', name])).toMatchObject({ exit: 2, out: '' });
    }
  });
});

describe('the MCP proxy', () => {
  const asked: { headers: Record<string, string>; body: string }[] = [];
  const proxy = (respond: () => Response, told: string[]) =>
    new McpProxy(
      'https://m.example/mcp',
      async (_url, { headers, body }) => {
        asked.push({ headers: headers as Record<string, string>, body: body as string });
        return respond();
      },
      async () => ({ 'X-Api-Key': 'key' }),
      (line) => void told.push(line),
      new AbortController().signal,
    );
  beforeEach(() => (asked.length = 0));

  it('repeats the revision that the first answer names, and its session', async () => {
    const told: string[] = [];
    const result = { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } };
    const one = proxy(() => Response.json(result, { headers: { 'Mcp-Session-Id': 's' } }), told);
    await one.take('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
    await one.take('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    expect(told[0]).toBe(JSON.stringify(result));
    expect(asked[0]?.headers).not.toHaveProperty('MCP-Protocol-Version');
    expect(asked[1]?.headers).toMatchObject({
      'MCP-Protocol-Version': '2025-11-25',
      'Mcp-Session-Id': 's',
      'X-Api-Key': 'key',
    });
  });

  it('writes the headers of the newest revision from the message', async () => {
    const params = { name: 'größe', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await proxy(() => new Response(null, { status: 202 }), []).take(line);
    expect(asked[0]?.body).toBe(line);
    expect(asked[0]?.headers).toMatchObject({
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': `=?base64?${Buffer.from('größe').toString('base64')}?=`,
    });
  });

  it('tells each message of a stream on a line of its own', async () => {
    const told: string[] = [];
    const body = ': hello\n\nevent: message\ndata: {"jsonrpc":"2.0",\ndata: "method":"a"}\n\ndata: {"id":1}\r\n\r\n';
    const headers = { 'Content-Type': 'text/event-stream' };
    await proxy(() => new Response(body, { headers }), told).take('{"jsonrpc":"2.0","id":1,"method":"x"}');
    expect(told).toEqual(['{"jsonrpc":"2.0","method":"a"}', '{"id":1}']);
  });

  it('answers a request that fails, and no notification', async () => {
    const told: string[] = [];
    const refusal = { error: { code: 'invalid_api_key', reason: 'The key is not known.' } };
    const one = proxy(() => Response.json(refusal, { status: 401 }), told);
    await one.take('{"jsonrpc":"2.0","id":"a","method":"tools/list"}');
    await one.take('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await one.take('no JSON');
    await one.take('null');
    const broken = proxy(() => {
      throw new TypeError('fetch failed');
    }, told);
    await broken.take('{"jsonrpc":"2.0","id":7,"method":"tools/list"}');
    expect(told.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.message])).toEqual([
      ['a', 'invalid_api_key: The key is not known.'],
      [null, 'Not JSON.'],
      [null, 'No message.'],
      [7, 'fetch failed'],
    ]);
  });
});

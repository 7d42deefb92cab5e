import { runCli } from '../../../../test/support/cli-run.js';

const HOSTILE = 'Nice \u001b[2Jtask\u202e';
const MONEY = { amount: '60.00', currency: 'USDC' };
const node = (id: string, parent_node_id: string | null, own: object = {}) => ({
  id,
  parent_node_id,
  state: 'funded',
  amount: MONEY,
  worker_agent_id: `agent_of_${id}`,
  ...own,
});
const page = (data: unknown[], next_page: string | null = null) => ({ data, next_page });

/** Answers to paths, and the requests that came. */
async function run(answers: Record<string, unknown>, argv: string[], isTTY = false) {
  const asked: { line: string; key: string | undefined; body: string }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const headers = new Headers(init.headers);
    const body =
      init.body === undefined || init.body === null ? '' : new TextDecoder().decode(await bytesOf(init.body));
    asked.push({ line: `${init.method} ${pathname}${search}`, key: headers.get('X-Api-Key') ?? undefined, body });
    const answer = answers[`${pathname}${search}`] ?? answers[pathname];
    return answer === undefined
      ? Response.json({ error: { code: 'not_found', reason: 'There is none.' } }, { status: 404 })
      : Response.json(answer);
  };
  const env = {
    XDG_CONFIG_HOME: '/nonexistent',
    TASKTREE_URL: 'https://market.example',
    TASKTREE_READ_KEY: 'r-key',
    TASKTREE_AGENT_OWNER_KEY: 'o-key',
  };
  return { ...(await runCli(argv, { fetch, env, isTTY })), asked };
}

function bytesOf(body: BodyInit): Promise<ArrayBuffer> {
  return new Response(body).arrayBuffer();
}

it('shows a tree as one, and what one can do on its nodes', async () => {
  const nodes = [
    node('n_1', null, { allowed_actions: ['deliver', 'subcontract'] }),
    node('n_1_1', 'n_1'),
    node('n_1_1_1', 'n_1_1'),
    node('n_1_2', 'n_1'),
    // Of a parent that the caller may not see.
    node('n_9_1', 'n_9'),
  ];
  const { out } = await run({ '/v1/tasks/task_1/nodes': page(nodes) }, ['nodes', 'task_1'], true);
  expect(out.split('\n').map((line) => line.replace(/ {2}funded.*?(?= {2}you|$)/, ''))).toEqual([
    'n_1  you can: deliver, subcontract',
    '├─ n_1_1',
    '│  └─ n_1_1_1',
    '└─ n_1_2',
    'n_9_1',
    '',
  ]);
});

it('says of a tree that is larger than it shows that it goes on', async () => {
  const nodes = Array.from({ length: 1_001 }, (_, at) => node(`n_${at}`, null));
  const whole = await run({ '/v1/tasks/task_1/nodes': page(nodes.slice(1)) }, ['nodes', 'task_1'], true);
  const cut = await run({ '/v1/tasks/task_1/nodes': page(nodes) }, ['nodes', 'task_1'], true);
  expect([whole.out, cut.out].map((out) => out.trimEnd().split('\n').length)).toEqual([1_000, 1_000]);
  expect(whole.err).toBe('');
  expect(cut.err).toContain('first 1000 nodes');
  expect(cut.err).toContain('tasktree api GET /v1/tasks/task_1/nodes');
});

it('shows titles of others as text, and says when a list goes on', async () => {
  const task = { id: 'task_1', status: 'open', budget: MONEY, title: HOSTILE, brief: '' };
  const answers = { '/v1/tasks': page([task, task, task], 'more') };
  const { out, err } = await run(answers, ['tasks', 'list', '--limit', '2'], true);
  expect(out.split('\n')).toHaveLength(4);
  expect(out + err).not.toContain('\u001b');
  expect(out).toContain(String.raw`Nice \u{1b}[2Jtask\u{202e}`);
  expect(err).toContain('--limit 10');
});

it('reads no page that it does not show', async () => {
  const { out, asked } = await run({ '/v1/agents': page([{ id: 'a' }, { id: 'b' }], 'more') }, [
    'agents',
    'list',
    'french',
    '--limit',
    '1',
  ]);
  expect(JSON.parse(out)).toEqual([{ id: 'a' }]);
  expect(asked.map(({ line }) => line)).toEqual(['GET /v1/agents?query=french&limit=2']);
});

it('gathers the work of all own agents', async () => {
  const answers = {
    '/v1/agents': page([{ id: 'a' }, { id: 'b' }]),
    '/v1/agents/a/nodes': page([node('n_1', null)]),
    '/v1/agents/b/nodes': page([node('n_2', null)]),
  };
  const { out, asked } = await run(answers, ['inbox']);
  expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['n_1', 'n_2']);
  expect(asked.at(-1)?.key).toBe('o-key');
});

it('sets whether an agent takes work', async () => {
  const agent = { id: 'a', name: 'A', status: 'active', capabilities: [] };
  const { exit, asked } = await run({ '/v1/agents/a/availability': agent }, ['agents', 'available', 'off', 'a']);
  expect([exit, asked[0]]).toEqual([
    0,
    { line: 'PUT /v1/agents/a/availability', key: 'o-key', body: '{"available":false}' },
  ]);
});

describe('api', () => {
  it('says after how long a market wants to be asked again', async () => {
    const fetch = async () =>
      Response.json(
        { error: { code: 'rate_limited', reason: 'Too many.' } },
        { status: 429, headers: { 'Retry-After': '7' } },
      );
    const env = { XDG_CONFIG_HOME: '/nowhere', TASKTREE_URL: 'https://market.example', TASKTREE_TOKEN: 't' };
    const { exit, err } = await runCli(['api', 'GET', '/v1/tasks'], { fetch, env });
    expect([exit, JSON.parse(err).error]).toEqual([
      7,
      expect.objectContaining({ why: 'Too many.', advice: 'Again after 7 s.' }),
    ]);
  });

  it('takes a field before the method, and several of them', async () => {
    const answers = { '/v1/events?limit=1&task_id=t': page([{ id: 'e_1' }]) };
    const { exit } = await run(answers, ['api', '-f', 'limit=1', '-f', 'task_id=t', 'GET', '/v1/events']);
    expect(exit).toBe(0);
  });

  it('puts fields of a GET into the query, and follows pages as lines', async () => {
    const answers = {
      '/v1/events?limit=1': page([{ id: 'e_1' }], 'second'),
      '/v1/events?limit=1&cursor=second': page([{ id: 'e_2' }]),
    };
    const { out } = await run(answers, ['api', 'get', '/v1/events', '-f', 'limit=1', '--paginate']);
    expect(out).toBe('{"id":"e_1"}\n{"id":"e_2"}\n');
  });

  it('asks of several keys which one a write takes, and sends fields as the body', async () => {
    const argv = ['api', 'POST', '/v1/agents', '-f', 'name=A'];
    const refused = await run({}, argv);
    expect([refused.exit, refused.asked]).toEqual([2, []]);
    const { out, asked } = await run({ '/v1/agents': { id: 'a' } }, [...argv, '--scope', 'agent-owner']);
    expect(JSON.parse(out)).toEqual({ id: 'a' });
    expect(asked[0]).toMatchObject({ key: 'o-key', body: '{"name":"A"}' });
  });

  it('shows the status and the headers of an answer where it is asked to, but not of a list', async () => {
    const answers = { '/v1/events': page([]) };
    const { out } = await run(answers, ['api', 'GET', '/v1/events', '--include']);
    const headers = expect.objectContaining({ 'content-type': 'application/json' });
    expect(JSON.parse(out)).toEqual({ status: 200, headers, body: page([]) });
    expect((await run(answers, ['api', 'GET', '/v1/events', '--include', '--paginate'])).exit).toBe(2);
  });

  it.each([
    [['GET', 'https://evil.example/v1/tasks'], 2],
    [['GET', '/account/keys'], 2],
    [['GET', '/v1/tasks', '--input', 'x.json'], 2],
    [['GET', '/v1/tasks', '-f', 'limit'], 2],
    [['BREW', '/v1/tasks'], 2],
    [['GET', '/v1/nothing'], 4],
    [['POST', '/v1/tasks/task_1/invitations', '--scope', 'buyer'], 3],
  ])('%j ends with %i', async (argv, exit) => {
    expect((await run({}, ['api', ...argv])).exit).toBe(exit);
  });
});

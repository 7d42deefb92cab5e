import { MarketDocument } from '../../support/e2e/document.js';
import { expectError, expectSuccess } from '../../support/e2e/answers.js';
import { account, api, localMarket } from '../../support/market.js';

type Read = ReturnType<typeof api>;

const LISTS = [
  { name: 'listTasks', page: 'TaskPage', id: (row: any) => row.id },
  { name: 'listTaskNodes', page: 'EscrowNodePage', id: (row: any) => row.id },
  { name: 'listTaskMatches', page: 'MatchPage', id: (row: any) => row.agent.id },
  { name: 'listQuotes', page: 'QuotePage', id: (row: any) => row.id },
  { name: 'listDeliveries', page: 'DeliveryPage', id: (row: any) => row.id },
  { name: 'listReceipts', page: 'ReceiptPage', id: (row: any) => row.id },
  { name: 'listReputation', page: 'ReputationRecordPage', id: (row: any) => row.agent_id },
] as const;
type ListName = (typeof LISTS)[number]['name'];

const MONEY = /^(0|[1-9]\d*)\.\d{2}(\d{0,3}[1-9])?$/;
const PREFIXES: Record<string, RegExp> = {
  task_id: /^task_[0-9a-z]{26}$/,
  node_id: /^node_[0-9a-z]{26}_[1-9]\d*(?:-[1-9]\d*)*$/,
  parent_node_id: /^node_[0-9a-z]{26}_[1-9]\d*(?:-[1-9]\d*)*$/,
  agent_id: /^agent_[0-9a-z]{26}$/,
  selected_agent_id: /^agent_[0-9a-z]{26}$/,
  worker_agent_id: /^(agent_[0-9a-z]{26}|wallet_0x[0-9a-fA-F]{40})$/,
  hirer_agent_id: /^(agent|acct)_[0-9a-z]{26}$/,
};
const OWN_ID: Partial<Record<ListName, RegExp>> = {
  listTasks: PREFIXES.task_id,
  listTaskNodes: PREFIXES.node_id,
  listQuotes: /^quote_[0-9a-z]{26}$/,
  listDeliveries: /^dlv_[0-9a-z]{26}_[1-9]\d*(?:-[1-9]\d*)*_[1-9]\d*$/,
  listReceipts: /^rcpt_[0-9a-z]{26}_[1-9]\d*(?:-[1-9]\d*)*$/,
};

let document: MarketDocument;
let ada: Read;
let bo: Read;
let paths: Record<ListName, string>;
const titled = (title: string) => localMarket().tasks.find((task) => task.title.startsWith(title))!;

beforeAll(async () => {
  document = await MarketDocument.load();
  ada = api(account('Ada'), 'read');
  bo = api(account('Bo'), 'read');
  paths = {
    listTasks: '/v1/tasks?role=buyer',
    listTaskNodes: `/v1/tasks/${titled('Handbook').id}/nodes`,
    listTaskMatches: `/v1/tasks/${titled('Handbook').id}/matches`,
    listQuotes: '/v1/quotes',
    listDeliveries: '/v1/deliveries',
    listReceipts: '/v1/receipts',
    listReputation: '/v1/reputation',
  };
});

/** The path with these query parameters added. */
const at = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/**
 * The rows without those that may move meanwhile: other spec files add agents, and with them reputations, so only those
 * of the original sample market keep their places.
 */
const steady = (name: ListName, rows: any[]): any[] => {
  if (name !== 'listReputation') return rows;
  const agents = new Set(localMarket().accounts.flatMap((one) => one.agents.map(({ id }) => id)));
  return rows.filter(({ agent_id }) => agents.has(agent_id));
};

/** Yields every object inside a value, with the name of the member that holds it. */
function* membersOf(value: any, name = ''): Generator<[string, any]> {
  if (name) yield [name, value];
  if (Array.isArray(value)) for (const item of value) yield* membersOf(item);
  else if (value !== null && typeof value === 'object')
    for (const [member, inner] of Object.entries(value)) yield* membersOf(inner, member);
}

const allOf = async (read: Read, path: string, limit: number): Promise<{ rows: any[]; pages: number }> => {
  const rows: any[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await read(at(path, `limit=${limit}${next}`));
    rows.push(...body.data);
    cursor = body.next_page;
    pages += 1;
    if (pages > 500) throw new Error(`${path} has no last page`);
  } while (cursor !== null);
  return { rows, pages };
};

describe.each(LISTS)('$name', ({ name, page, id }) => {
  it('answers 200 with every header and exactly the documented members', async () => {
    const answer = await ada(at(paths[name], 'limit=100'));
    expectSuccess(answer);
    expect(document.faults(page, answer.body)).toEqual([]);
    expect(answer.body.data.length).toBeGreaterThan(1);
    expect(Object.keys(answer.body).toSorted()).toEqual(['data', 'next_page']);
  });

  it('writes amounts canonically, ids with their prefix, and leaves out what has no value', async () => {
    const { data } = (await ada(at(paths[name], 'limit=100'))).body;
    for (const row of data) {
      if (OWN_ID[name]) expect(row.id).toMatch(OWN_ID[name]);
      for (const [member, value] of membersOf(row)) {
        if (value === null) expect([member, value]).toEqual(['parent_node_id', null]);
        if (member === 'amount' && typeof value === 'string') expect(value).toMatch(MONEY);
        if (member === 'currency') expect(value).toBe('USDC');
        if (PREFIXES[member] && value !== null) expect(value).toMatch(PREFIXES[member]);
      }
    }
  });

  it('hands out the same rows in the same order whatever the page size, each once', async () => {
    const whole = steady(name, (await allOf(ada, paths[name], 100)).rows);
    for (const limit of [1, 2, 3]) {
      const { rows, pages } = await allOf(ada, paths[name], limit);
      expect(steady(name, rows).map(id)).toEqual(whole.map(id));
      expect(pages).toBe(Math.ceil(rows.length / limit));
    }
    expect(new Set(whole.map(id)).size).toBe(whole.length);
  });

  it('links to the next page at the public address, and not from the last', async () => {
    const first = await ada(at(paths[name], 'limit=1'));
    const link = first.headers.get('link');
    const match = /^<([^>]+)>; rel="next"$/.exec(link ?? '');
    expect(link).toMatch(/^<[^>]+>; rel="next"$/);
    const url = new URL(match![1]!);
    expect(url.origin).toBe(localMarket().base_url);
    expect(url.pathname).toBe(paths[name].split('?')[0]);
    expect(url.searchParams.get('cursor')).toBe(first.body.next_page);
    expect(url.searchParams.get('limit')).toBe('1');
    const second = await ada(`${url.pathname}${url.search}`);
    expect(second.status).toBe(200);
    expect(id(second.body.data[0])).not.toBe(id(first.body.data[0]));
    const last = await ada(at(paths[name], 'limit=100'));
    expect([last.body.next_page, last.headers.get('link')]).toEqual([null, null]);
  });

  it('gives pages whose cursors say nothing', async () => {
    const { body } = await ada(at(paths[name], 'limit=1'));
    expect(body.next_page).toMatch(/^[A-Za-z0-9_-]+$/);
    const plain = Buffer.from(body.next_page, 'base64url').toString('latin1');
    expect(plain).not.toContain(id(body.data[0]));
  });
});

const expectDescending = (texts: string[]): void => {
  expect(texts).toEqual(texts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
};

describe('the order of', () => {
  const newestFirst = (rows: any[]): void => {
    expectDescending(rows.map(({ created_at }) => created_at));
  };

  it.each(['listTasks', 'listDeliveries', 'listReceipts'] as const)('%s is newest first', async (name) => {
    newestFirst((await allOf(ada, paths[name], 100)).rows);
  });

  it('listQuotes is newest first', async () => {
    const { rows } = await allOf(bo, '/v1/quotes', 100);
    expect(rows.length).toBeGreaterThan(2);
    expectDescending(rows.map(({ id }) => id));
  });

  it('listTaskNodes is by place in the tree, each node before those below it', async () => {
    const { rows } = await allOf(ada, paths.listTaskNodes, 100);
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? -1 : 1)));
    expect(rows.length).toBe(5);
    const seen = new Set<string | null>([null]);
    for (const { id, parent_node_id } of rows) {
      expect(seen.has(parent_node_id)).toBe(true);
      seen.add(id);
    }
  });

  it('listTaskMatches is by rank, which counts from 1, with scores that never rise', async () => {
    const { rows } = await allOf(ada, paths.listTaskMatches, 2);
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, index) => index + 1));
    const scores = rows.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('listReputation is by score, then by agent', async () => {
    const { rows } = await allOf(ada, paths.listReputation, 100);
    const sorted = rows.toSorted((a, b) => b.score - a.score || (a.agent_id < b.agent_id ? -1 : 1));
    expect(rows.map(({ agent_id }) => agent_id)).toEqual(sorted.map(({ agent_id }) => agent_id));
  });
});

describe('a list without limit', () => {
  it('has at most 25 rows', async () => {
    const { body } = await ada(paths.listTasks);
    const { rows } = await allOf(ada, paths.listTasks, 100);
    expect(body.data.length).toBe(Math.min(25, rows.length));
  });
});

describe('filters', () => {
  it('listTasks by status and role', async () => {
    const { rows } = await allOf(ada, '/v1/tasks', 100);
    const statuses = new Set(rows.map(({ status }) => status));
    expect(statuses.size).toBeGreaterThan(4);
    for (const status of statuses) {
      const some = (await allOf(ada, `/v1/tasks?status=${status}`, 100)).rows;
      expect(new Set(some.map((row) => row.status))).toEqual(new Set([status]));
      expect(some.length).toBeGreaterThan(0);
    }
    const own = (await allOf(ada, '/v1/tasks?role=buyer', 100)).rows;
    expect(own.length).toBeGreaterThan(3);
    expect(own.length).toBeLessThan(rows.length);
    expect((await allOf(ada, '/v1/tasks?role=worker', 100)).rows).toEqual([]);
    const lena = api(account('Lena'), 'read');
    expect((await allOf(lena, '/v1/tasks?role=worker', 100)).rows.length).toBeGreaterThan(2);
    expect((await allOf(lena, '/v1/tasks?role=buyer', 100)).rows).toEqual([]);
  });

  it.each(['quotes', 'deliveries', 'receipts'])('%s by task_id', async (list) => {
    const { rows } = await allOf(ada, `/v1/${list}`, 100);
    const wanted = rows[0].task_id;
    const some = (await allOf(ada, `/v1/${list}?task_id=${wanted}`, 1)).rows;
    expect(some.map(({ id }) => id)).toEqual(rows.filter((row) => row.task_id === wanted).map(({ id }) => id));
    expect(some.length).toBeLessThan(rows.length);
  });

  it('reputation by agent_id', async () => {
    const { rows } = await allOf(ada, '/v1/reputation', 100);
    const [first] = steady('listReputation', rows);
    const one = (await ada(`/v1/reputation?agent_id=${first.agent_id}`)).body;
    expect(one).toEqual({ data: [first], next_page: null });
  });
});

describe('getTask', () => {
  it('is the very task of the list', async () => {
    for (const listed of (await ada('/v1/tasks?limit=100&role=buyer')).body.data) {
      const answer = await ada(`/v1/tasks/${listed.id}`);
      expectSuccess(answer);
      expect(document.faults('TaskDetail', answer.body)).toEqual([]);
      expect(answer.body).toMatchObject(listed);
    }
  });

  it('knows the windows, the terms and the escrow of its tree', async () => {
    const task = (await ada(`/v1/tasks/${titled('Handbook').id}`)).body;
    expect(task).toMatchObject({
      title: 'Handbook in three languages, with figures',
      budget: { amount: '1000.00', currency: 'USDC' },
      selection_mode: 'manual',
      status: 'funded',
      tier: 'public',
      accept_window_seconds: 60 * 86_400,
      delivery_window_seconds: 90 * 86_400,
      escrow_address: titled('Handbook').escrow_address,
    });
  });
});

describe('getTaskPreview', () => {
  it('gives the payer of a delivered node a link of ten minutes that opens', async () => {
    const answer = await bo(`/v1/tasks/${titled('Translate eight blog posts').id}/preview`);
    expectSuccess(answer);
    expect(document.faults('TaskPreview', answer.body)).toEqual([]);
    const { url, expires_at } = answer.body;
    expect(new URL(url).origin).toBe(localMarket().base_url);
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10);
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await page.text()).not.toMatch(/<script/i);
  });
});

describe('the numbers of', () => {
  it('receipts agree with the nodes they are about', async () => {
    for (const receipt of (await allOf(ada, '/v1/receipts', 100)).rows) {
      const { data } = (await ada(`/v1/tasks/${receipt.task_id}/nodes?limit=100`)).body;
      const node = data.find((one: any) => one.id === receipt.node_id);
      expect([receipt.node_id, node.state]).toEqual([receipt.node_id, receipt.outcome]);
      expect(Number(receipt.amount.amount)).toBeLessThanOrEqual(Number(node.amount.amount));
    }
  });

  it('a match are those of its agent elsewhere', async () => {
    const reputation = new Map(
      (await allOf(ada, '/v1/reputation', 100)).rows.map((row): [string, any] => [row.agent_id, row]),
    );
    const { rows } = await allOf(ada, paths.listTaskMatches, 100);
    const known = rows.filter((row) => row.reputation);
    expect(known.length).toBeGreaterThan(0);
    for (const { agent, reputation: shown } of known) {
      expect(shown.score).toBe(reputation.get(agent.id).score);
      expect(shown.settled_value).toEqual(reputation.get(agent.id).settled_value);
    }
  });
});

describe('HEAD', () => {
  it('answers as GET does, without the body', async () => {
    const get = await ada('/v1/tasks?limit=1');
    const head = await ada('/v1/tasks?limit=1', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'service-version', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    const refused = await api(account('Ada'), 'worker')('/v1/tasks', { method: 'HEAD' });
    expect(refused.status).toBe(403);
  });
});

describe('Service-Version', () => {
  it('may be named, and then serves; a version that is not published or not a date is refused', async () => {
    const current = (await ada('/v1/tasks?limit=1')).headers.get('service-version')!;
    const named = await ada('/v1/tasks?limit=1', { headers: { 'Service-Version': current } });
    expect([named.status, named.headers.get('service-version')]).toEqual([200, current]);
    const unknown = await ada('/v1/tasks?limit=1', { headers: { 'Service-Version': '1999-01-01' } });
    expectError(unknown, 400, 'unsupported_version');
    expect(unknown.body.error.suggestion).toContain(current);
    for (const malformed of ['2026', '2026-1-1', 'latest', `${current}, ${current}`]) {
      expectError(await ada('/v1/tasks', { headers: { 'Service-Version': malformed } }), 400, 'invalid_version');
    }
  });
});

it('the limit that is left counts down over all keys of an account', async () => {
  const left = async (read: Read) => Number((await read('/v1/tasks?limit=1')).headers.get('x-limit-remaining'));
  const used = async (): Promise<number> => {
    const before = await left(bo);
    for (let time = 0; time < 3; time += 1) await left(bo);
    await api(account('Bo'), 'worker')('/v1/tasks');
    return before - (await left(bo));
  };
  const first = await used();
  // A negative number means that a new window has begun in between, so it is measured again.
  expect(first < 0 ? await used() : first).toBeGreaterThanOrEqual(5);
});

import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { ListeningService } from '../../support/listening-service.js';
import type { Caller } from '../../support/test-service.js';

const WALLETS = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] as const;
const NEW_WALLET = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const AGENT = { name: 'Lexica', agent_card_url: 'https://agents.example/card' };

let side: ListeningService;
let owner: Caller;
let rival: Caller;

beforeAll(async () => {
  side = await ListeningService.listen();
  [owner, rival] = await Promise.all([side.caller(WALLETS[0]), side.caller(WALLETS[1])]);
});

afterAll(() => side?.close());

async function send(
  method: string,
  path: string,
  { as = owner, scope = 'agent-owner', body, key = randomUUID() }: SendOptions = {},
): Promise<{ status: number; body: any; replayed: boolean }> {
  const answer = await fetch(`${side.url}${path}`, {
    method,
    headers: {
      'X-Api-Key': as.keys[scope],
      ...(method === 'GET' || key === '' ? {} : { 'Idempotency-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json(), replayed: answer.headers.has('Idempotent-Replayed') };
}

interface SendOptions {
  as?: Caller;
  scope?: Scope;
  body?: object | string;
  /** Idempotency key; an empty text sends none. */
  key?: string;
}

const publish = async (more: object = {}, as = owner): Promise<any> =>
  (await send('POST', '/v1/agents', { as, body: { ...AGENT, ...more } })).body;
const read = (path: string, as = owner) => send('GET', path, { as, scope: 'read' });
const code = ({ status, body }: { status: number; body: any }) => [status, body.error?.code];

/** Every operation that changes an agent, with a valid body. */
const WRITES = [
  ['POST', () => '/v1/agents', AGENT],
  ['PATCH', (id: string) => `/v1/agents/${id}`, { name: 'New' }],
  ['PUT', (id: string) => `/v1/agents/${id}/availability`, { available: false }],
] as const;

describe('an agent over HTTP', () => {
  it('is published, read, changed, sent away and retired', async () => {
    const published = await send('POST', '/v1/agents', {
      body: { ...AGENT, capabilities: ['audit', 'audit'], description: ' Reads code. ' },
    });
    const { id } = published.body;
    expect(published).toEqual({
      status: 200,
      replayed: false,
      body: {
        id: expect.stringMatching(/^agent_[0-9a-z]{26}$/),
        name: 'Lexica',
        status: 'active',
        capabilities: ['audit'],
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        available: true,
        agent_card_url: AGENT.agent_card_url,
        description: 'Reads code.',
        wallet_address: WALLETS[0],
      },
    });
    const { wallet_address: _, ...shown } = published.body;
    expect((await read(`/v1/agents/${id}`)).body).toEqual(published.body);
    expect((await read(`/v1/agents/${id}`, rival)).body).toEqual(shown);
    expect((await read('/v1/agents?query=audit', rival)).body).toEqual({ data: [shown], next_page: null });

    const changed = await send('PATCH', `/v1/agents/${id}`, { body: { description: '', status: 'inactive' } });
    const { description: __, ...rest } = published.body;
    expect(changed.body).toEqual({ ...rest, status: 'inactive', available: false });

    const until = new Date(Math.floor(Date.now() / 1000 + 3_600) * 1000).toISOString();
    await send('PATCH', `/v1/agents/${id}`, { body: { status: 'active' } });
    const away = await send('PUT', `/v1/agents/${id}/availability`, { body: { available: false, until } });
    expect(away.body).toEqual({ ...rest, available: false, available_until: until });

    await send('PATCH', `/v1/agents/${id}`, { body: { status: 'retired' } });
    expect((await read(`/v1/agents/${id}`, rival)).body).toMatchObject({ status: 'retired', available: false });
    expect((await read('/v1/agents?query=audit')).body.data).toEqual([]);
    for (const body of [{ name: 'Back' }, { status: 'active' }]) {
      expect(code(await send('PATCH', `/v1/agents/${id}`, { body }))).toEqual([409, 'state_conflict']);
    }
    const again = await send('PUT', `/v1/agents/${id}/availability`, { body: { available: true } });
    expect(code(again)).toEqual([409, 'state_conflict']);
  });

  it('takes the scope of its operation and no other', async () => {
    const { id } = await publish();
    for (const [method, path, body] of WRITES) {
      for (const scope of ['read', 'buyer', 'worker'] as const) {
        expect(code(await send(method, path(id), { scope, body }))).toEqual([403, 'insufficient_scope']);
      }
    }
    for (const path of ['/v1/agents', `/v1/agents/${id}`]) {
      expect(code(await send('GET', path))).toEqual([403, 'insufficient_scope']);
    }
    expect(code(await read(`/v1/agents/${id}/nodes`))).toEqual([403, 'insufficient_scope']);
    expect((await send('GET', `/v1/agents/${id}/nodes`)).body).toEqual({ data: [], next_page: null });
  });

  it('of another account is the same 404 as a missing one, for each write and for the inbox', async () => {
    const { id } = await publish();
    for (const [method, path, body] of WRITES.slice(1)) {
      const foreign = await send(method, path(id), { as: rival, body });
      expect(code(foreign)).toEqual([404, 'not_found']);
      expect(foreign.body).toEqual((await send(method, path('agent_none'), { as: rival, body })).body);
    }
    const foreign = await send('GET', `/v1/agents/${id}/nodes`, { as: rival });
    expect(code(foreign)).toEqual([404, 'not_found']);
    expect(foreign.body).toEqual((await send('GET', '/v1/agents/agent_none/nodes', { as: rival })).body);
    expect(code(await read('/v1/agents/agent_none'))).toEqual([404, 'not_found']);
    expect((await read(`/v1/agents/${id}`)).body.name).toBe('Lexica');
  });

  it('checks path, key and body in this order, and all of them before it looks for the agent', async () => {
    for (const [method, path, body] of WRITES.slice(1)) {
      expect(code(await send(method, path('a!b'), { key: '', body: { nobody: 1 } }))).toEqual([
        400,
        'invalid_parameter',
      ]);
      expect(code(await send(method, `${path('agent_none')}?x=1`, { body }))).toEqual([400, 'unknown_parameter']);
      expect(code(await send(method, path('agent_none'), { key: '', body: { nobody: 1 } }))).toEqual([
        400,
        'idempotency_key_missing',
      ]);
      for (const bad of [{ ...body, nobody: 1 }, {}, [], '{', 'null', undefined]) {
        const options = bad === undefined ? {} : { body: bad };
        expect(code(await send(method, path('agent_none'), options))).toEqual([400, 'invalid_body']);
      }
      expect(code(await send(method, path('agent_none'), { body }))).toEqual([404, 'not_found']);
    }
    for (const bad of [{ ...AGENT, nobody: 1 }, {}, { name: 'x' }, undefined]) {
      const options = bad === undefined ? {} : { body: bad };
      expect(code(await send('POST', '/v1/agents', options))).toEqual([400, 'invalid_body']);
    }
  });

  it('is published once for one key, however often and however fast it is asked for', async () => {
    const name = `Once ${randomUUID()}`;
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send('POST', '/v1/agents', { key, body: { ...AGENT, name } })),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
    const replay = await send('POST', '/v1/agents', { key, body: { ...AGENT, name } });
    expect([replay.replayed, replay.body]).toEqual([true, done[0]!.body]);
    const other = await send('POST', '/v1/agents', { key, body: { ...AGENT, name: `${name}!` } });
    expect(code(other)).toEqual([409, 'idempotency_key_conflict']);
    const rows = await side.dataSource.query('SELECT id FROM agents WHERE name LIKE $1', [`${name}%`]);
    expect(rows).toEqual([{ id: done[0]!.body.id }]);
  });

  it('gets no answer twice: a change that is repeated with its key does not undo a later one', async () => {
    const { id } = await publish();
    const key = randomUUID();
    await send('PATCH', `/v1/agents/${id}`, { key, body: { name: 'First' } });
    await send('PATCH', `/v1/agents/${id}`, { body: { name: 'Second' } });
    const replay = await send('PATCH', `/v1/agents/${id}`, { key, body: { name: 'First' } });
    expect([replay.replayed, replay.body.name]).toEqual([true, 'First']);
    expect((await read(`/v1/agents/${id}`)).body.name).toBe('Second');
  });

  it("refuses another account's wallet and leaves nothing behind", async () => {
    const name = `Claim ${randomUUID()}`;
    const claim = await send('POST', '/v1/agents', { body: { ...AGENT, name, wallet_address: WALLETS[1] } });
    expect(code(claim)).toEqual([409, 'wallet_mismatch']);
    expect(await side.dataSource.query('SELECT id FROM agents WHERE name = $1', [name])).toEqual([]);
    expect((await publish({ wallet_address: NEW_WALLET.toLowerCase() })).wallet_address).toBe(NEW_WALLET);
    const { id } = await publish({}, rival);
    const change = await send('PATCH', `/v1/agents/${id}`, { as: rival, body: { wallet_address: NEW_WALLET } });
    expect(code(change)).toEqual([409, 'wallet_mismatch']);
  });

  it('is listed with an empty query as without one', async () => {
    const all = await read('/v1/agents?limit=1');
    expect(all.body.data).toHaveLength(1);
    const empty = await read('/v1/agents?limit=1&query=');
    expect(empty.body.data).toEqual(all.body.data);
    // Each cursor also continues the other list.
    const next = (query: string) => read(`/v1/agents?limit=1${query}&cursor=${empty.body.next_page}`);
    expect((await next('')).body.data).toEqual((await next('&query=')).body.data);
    expect((await next('')).status).toBe(200);
  });

  it.each([`?query=${'x'.repeat(257)}`, '?limit=0', '?limit=101', '?cursor=', '?status=active', '?query=a&query=b'])(
    'is not listed with %s',
    async (query) => {
      expect((await read(`/v1/agents${query}`)).status).toBe(400);
    },
  );

  it.each(['?role=buyer', '?role=', '?state=open', '?state=FUNDED', '?limit=0', '?agent_id=x'])(
    'has no inbox with %s',
    async (query) => {
      const { id } = await publish();
      expect((await send('GET', `/v1/agents/${id}/nodes${query}`)).status).toBe(400);
    },
  );

  it('is searched with any text without an error', async () => {
    for (const query of [`' & | ! : * ( ) <->`, '%00', '"', `'; DROP TABLE agents; --`, '\\', '🤖', 'x'.repeat(256)]) {
      const path = `/v1/agents?query=${query === '%00' ? query : encodeURIComponent(query)}`;
      expect([query, (await read(path)).status]).toEqual([query, 200]);
    }
  });
});

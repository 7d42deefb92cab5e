import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { expectError, expectSuccess } from '../../support/e2e/answers.js';
import { MarketDocument } from '../../support/e2e/document.js';
import { send } from '../../support/e2e/http-request.js';
import { MarketFixture, type Person } from '../../support/e2e/market-fixture.js';
import { api, type ApiAnswer, callApi, localMarket } from '../../support/market.js';
import { eventually } from '../../support/eventually.js';
import { query } from '../../support/e2e/database-rows.js';

/** What a caller reads of itself: who it is, its actions, its agents. */
let fixture: MarketFixture;
let document: MarketDocument;
let owner: Person;
let stranger: Person;
let bare: Person;

const read = (who: Person, path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  api(who, 'read')(path, { headers });
const holding = ({ headers }: ApiAnswer) => ({ 'If-None-Match': headers.get('etag') ?? '' });

beforeAll(async () => {
  fixture = await MarketFixture.open();
  document = await MarketDocument.load();
  owner = await fixture.person('Own owner', { 'Own-1': ['owning'], 'Own-2': ['owning'], 'Own-3': ['owning'] });
  stranger = await fixture.person('Own stranger', { 'Own-4': ['owning'] });
  bare = await fixture.person('Own bare');
});
afterAll(() => fixture.close());

function prepare(who: Person): Promise<ApiAnswer> {
  return api(who, 'buyer')('/v1/task-creation-intents', {
    body: { brief: 'Count the words.', budget: { amount: '5.00', currency: 'USDC' }, selection_mode: 'manual' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
}

async function change(who: Person, agentId: string, body: object): Promise<void> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const answer = await api(who, 'agent-owner')(`/v1/agents/${agentId}`, { method: 'PATCH', body, headers });
  expect(answer.status).toBe(200);
}

async function all(who: Person, path: string): Promise<any[]> {
  const data: any[] = [];
  for (let next = path; ;) {
    const answer = await read(who, next);
    expectSuccess(answer);
    data.push(...answer.body.data);
    if (answer.body.next_page === null) return data;
    next = `${path}&cursor=${answer.body.next_page}`;
  }
}

describe('who is calling', () => {
  it('is told the account, its wallets, the credential, the limits and its agents', async () => {
    const answer = await read(owner, '/v1/me');
    expectSuccess(answer);
    expect(document.faults('Me', answer.body)).toEqual([]);
    const { account, wallets, credential, limits, agents, ...others } = answer.body;
    const { id, walletAddress } = owner.participant.account;
    expect(others).toEqual({});
    expect(account).toMatchObject({ id, name: 'Own owner' });
    expect(wallets).toEqual([{ address: walletAddress, signs: true }]);
    expect(credential).toEqual({
      type: 'api_key',
      key_id: expect.stringMatching(/^key_/),
      scopes: ['read'],
      service_version: answer.headers.get('service-version'),
    });
    const policy = limits
      .filter(({ name }: any) => name.endsWith('reads'))
      .map(({ name, requests, window_seconds: seconds }: any) => `"${name}";q=${requests};w=${seconds}`);
    expect(policy.join(', ')).toBe(answer.headers.get('ratelimit-policy'));
    expect(limits.map(({ name, counted_for: whose }: any) => [name, whose])).toEqual([
      ['reads', 'credential'],
      ['writes', 'credential'],
      ['account-reads', 'account'],
      ['account-writes', 'account'],
    ]);
    expect(agents).toEqual((await read(owner, '/v1/agents?mine=true')).body.data);
    expect(agents.map(({ name }: any) => name).sort()).toEqual(['Own-1', 'Own-2', 'Own-3']);
  });

  it('is another for every account, and holds nothing of others', async () => {
    const { text } = await read(stranger, '/v1/me');
    const { id, walletAddress } = owner.participant.account;
    for (const secret of [id, walletAddress!, 'Own owner', 'Own-1', ...owner.participant.agents.map((one) => one.id)]) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
    expect((await read(bare, '/v1/me')).body.agents).toEqual([]);
  });

  it('is 304 while nothing changes, although the limits are used up meanwhile', async () => {
    const first = await read(owner, '/v1/me');
    expect((await read(owner, '/v1/me', holding(first))).status).toBe(304);
    expect((await read(stranger, '/v1/me', holding(first))).status).toBe(200);
    await change(owner, owner.participant.agents[0]!.id, { description: `Changed ${randomUUID()}.` });
    expect((await read(owner, '/v1/me', holding(first))).status).toBe(200);
  });

  it('shows the newest 25 agents, and where all of them are', async () => {
    const many = await fixture.person(
      'Own many',
      Object.fromEntries([...Array(27).keys()].map((n) => [`Many-${n}`, ['x']])),
    );
    const { body } = await read(many, '/v1/me');
    expect(document.faults('Me', body)).toEqual([]);
    expect([body.agents.length, body.agents_url]).toEqual([25, `${localMarket().base_url}/v1/agents?mine=true`]);
    const listed = await all(many, '/v1/agents?mine=true&limit=10');
    expect(listed.length).toBe(27);
    expect(body.agents).toEqual(listed.slice(0, 25));
  });

  it('needs a live credential with the scope `read`, and takes no parameter', async () => {
    for (const scope of ['buyer', 'worker', 'agent-owner'] as const satisfies readonly Scope[]) {
      for (const path of ['/v1/me', '/v1/actions', '/v1/agents?mine=true']) {
        expectError(await api(owner, scope)(path), 403, 'insufficient_scope');
      }
    }
    expectError(await send('/v1/me', {}), 401, 'unauthenticated');
    expectError(await read(owner, '/v1/me?account_id=acct_1'), 400, 'unknown_parameter');
    const { account } = bare.participant;
    const { key, secret } = await fixture.services.keys.create(account.id, { scope: 'read', name: 'to be revoked' });
    const ask = (path: string) => callApi(`${localMarket().base_url}${path}`, { key: secret });
    expect((await ask('/v1/me')).body.credential.key_id).toBe(key.id);
    await fixture.services.keys.revoke(key.id);
    await eventually(async () => (await ask('/v1/me')).status === 401);
    for (const path of ['/v1/me', '/v1/actions', '/v1/agents?mine=true']) {
      expectError(await ask(path), 401, 'api_key_revoked');
    }
  });
});

describe('own agents', () => {
  it('are all of them, whatever their status, and nobody else sees more than the market does', async () => {
    const seller = await fixture.person('Own seller', {
      'Sold-1': ['x'],
      'Sold-2': ['x'],
      'Sold-3': ['x'],
      'Sold-4': ['x'],
    });
    const [retired, inactive, suspended] = seller.participant.agents.map(({ id }) => id);
    await change(seller, retired!, { status: 'retired' });
    await change(seller, inactive!, { status: 'inactive' });
    await query(
      `UPDATE agents SET status = 'suspended', suspended_from = 'active', suspension_reason = 'A reason' WHERE id = $1`,
      [suspended],
    );
    const mine = await all(seller, '/v1/agents?mine=true&limit=3');
    expect(new Set(mine.map(({ status }) => status))).toEqual(new Set(['active', 'inactive', 'retired', 'suspended']));
    for (const agent of mine) {
      expect(document.faults('Agent', agent)).toEqual([]);
      expect(agent).toEqual((await read(seller, `/v1/agents/${agent.id}`)).body);
      expect(agent.wallet_address).toBe(seller.participant.account.walletAddress);
    }
    expect(mine.find(({ id }) => id === suspended).suspension_reason).toBe('A reason');
    const theirs = await all(stranger, '/v1/agents?mine=true&limit=100');
    expect(theirs.map(({ name }) => name)).toEqual(['Own-4']);
    const market = await all(stranger, '/v1/agents?limit=100');
    expect(market.filter(({ id }) => id === retired || id === suspended)).toEqual([]);
    expect(JSON.stringify(market)).not.toContain(seller.participant.account.walletAddress);
    expect((await all(stranger, '/v1/agents?mine=false&limit=100')).map(({ id }) => id)).toEqual(
      market.map(({ id }) => id),
    );
  });

  it.each(['mine=', 'mine=1', 'mine=TRUE', 'mine=true&query=owning'])('refuse %s', async (given) => {
    const { status, body } = await read(owner, `/v1/agents?${given}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_parameter']);
  });
});

describe('own actions', () => {
  it('are those that the account prepared, newest first, each as documented and as a read of it says', async () => {
    const actions: any[] = [];
    for (let n = 0; n < 3; n += 1) actions.unshift((await prepare(owner)).body);
    await prepare(stranger);
    const listed = await all(owner, '/v1/actions?limit=2');
    expect(listed.map(({ action_id: id }) => id)).toEqual(actions.map(({ action_id: id }) => id));
    for (const [place, shown] of listed.entries()) {
      expect(document.faults('ListedAction', shown)).toEqual([]);
      const { payload, ...one } = (await read(owner, `/v1/actions/${shown.action_id}`)).body;
      expect(payload).toBeDefined();
      expect(shown).toEqual({ ...one, created_at: shown.created_at });
      expect(shown).not.toHaveProperty('signing_url');
      expect(shown.request_digest).toBe(actions[place].request_digest);
    }
    expect((await read(bare, '/v1/actions')).body).toEqual({ data: [], next_page: null });
  });

  it('are found by status, and a status that does not exist is refused', async () => {
    const prepared = await all(owner, '/v1/actions?status=prepared&limit=100');
    expect(prepared.length).toBeGreaterThanOrEqual(3);
    expect(prepared.filter(({ status }) => status !== 'prepared')).toEqual([]);
    expect(await all(owner, '/v1/actions?status=final&limit=100')).toEqual([]);
    for (const given of ['status=done', 'status=', 'status=PREPARED']) {
      expectError(await read(owner, `/v1/actions?${given}`), 400, 'invalid_parameter');
    }
    for (const given of ['principal=acct_1', 'status=prepared&status=final']) {
      expectError(await read(owner, `/v1/actions?${given}`), 400, 'unknown_parameter');
    }
  });

  it('are a page of their own for each caller, filter and operation', async () => {
    const { next_page: cursor } = (await read(owner, '/v1/actions?limit=1')).body;
    expectError(await read(stranger, `/v1/actions?limit=1&cursor=${cursor}`), 400, 'invalid_cursor');
    expectError(await read(owner, `/v1/actions?limit=1&status=prepared&cursor=${cursor}`), 400, 'invalid_cursor');
    expectError(await read(owner, `/v1/agents?mine=true&cursor=${cursor}`), 400, 'invalid_cursor');
  });

  it('are 304 until there is another, kept by no cache', async () => {
    const first = await read(owner, '/v1/actions?limit=2');
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect((await read(owner, '/v1/actions?limit=2', holding(first))).status).toBe(304);
    expect((await read(stranger, '/v1/actions?limit=2', holding(first))).status).toBe(200);
    await prepare(owner);
    expect((await read(owner, '/v1/actions?limit=2', holding(first))).status).toBe(200);
  });
});

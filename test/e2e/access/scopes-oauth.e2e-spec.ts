import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expectError, expectSuccess } from '../../support/e2e/answers.js';
import { type DocumentedRoute, MarketDocument, pathOf } from '../../support/e2e/document.js';
import { send } from '../../support/e2e/http-request.js';
import { MISSING_IDS, sampleRequest } from '../../support/e2e/sample-requests.js';
import { MarketFixture, type Person } from '../../support/e2e/market-fixture.js';
import { localMarket } from '../../support/market.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';

const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'] as const;
type Scope = (typeof SCOPES)[number];
/** All 16 sets of scopes that a person may grant to an application. */
const SUBSETS: Scope[][] = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, index) => (bits & (1 << index)) !== 0),
);
const SCOPE_OF_ACTION = 'scope-of-action';

let fixture: MarketFixture;
let database: pg.Client;
let rows: AccessTokenRows;
let routes: DocumentedRoute[];

beforeAll(async () => {
  const market = localMarket();
  fixture = await MarketFixture.open();
  routes = (await MarketDocument.load()).routes;
  database = new pg.Client({ connectionString: market.database_url });
  await database.connect();
  rows = new AccessTokenRows((text, values) => database.query(text, values), market.base_url);
});

afterAll(async () => {
  await database?.end();
  await fixture?.close();
});

/** Sends a request for a record that does not exist, valid in all else, so that only the token decides the answer. */
function ask(route: DocumentedRoute, token: string) {
  const { body, type } = sampleRequest(route.operationId) ?? {};
  return send(pathOf(route, { artifact_hash: MISSING_IDS.artifact_hash }), {
    method: route.method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': randomUUID(),
      ...(type === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

it('there are 16 subsets, and enough operations to try them on', () => {
  expect(new Set(SUBSETS.map((subset) => subset.join(' '))).size).toBe(16);
  expect(routes.length).toBeGreaterThanOrEqual(35);
  expect(new Set(routes.map(({ scope }) => scope))).toEqual(new Set([...SCOPES, SCOPE_OF_ACTION]));
});

it.each(SUBSETS.map((subset) => [subset.join(' ') || 'no scope', subset] as const))(
  'a token of %s passes exactly the operations of its scopes',
  async (name, subset) => {
    const { id } = await fixture.services.accounts.create({ name: `Subset ${name}` });
    const { token } = await rows.issue(id, { scopes: subset });
    const metadata = `resource_metadata="${localMarket().base_url}/.well-known/oauth-protected-resource"`;
    for (const route of routes) {
      const answer = await ask(route, token);
      const where = `${route.operationId} with ${name}`;
      if (route.scope === SCOPE_OF_ACTION || subset.some((scope) => scope === route.scope)) {
        // Whatever it answers about the missing record, the service has accepted the token.
        expect([where, answer.status]).not.toEqual([where, 401]);
        expect([where, answer.body?.error?.code]).not.toEqual([where, 'insufficient_scope']);
        expect([where, answer.status < 500]).toEqual([where, true]);
        continue;
      }
      expect([where, answer.status]).toEqual([where, 403]);
      expectError(answer, 403, 'insufficient_scope');
      expect(answer.body.error.reason).toContain(`"${route.scope}"`);
      for (const held of subset) expect(answer.body.error.reason).toContain(`"${held}"`);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="tasktree", error="insufficient_scope", scope="${route.scope}", ${metadata}`,
      );
    }
  },
);

describe('an action that an application prepares', () => {
  let owner: Person;
  let path: string;

  beforeAll(async () => {
    const buyer = await fixture.person('Apps buyer');
    owner = await fixture.person('Apps worker', { 'Apps-1': ['acting'] });
    const node = await fixture.fundedNode(buyer, owner);
    path = `/v1/tasks/${node.task.id}/nodes/${node.id}/abandon-intents`;
  });

  const post = (target: string, headers: Record<string, string>, body = '{}') =>
    send(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), ...headers },
      body,
    });
  const clientOf = async (actionId: string) => {
    const found = await database.query('SELECT client_id FROM prepared_actions WHERE id = $1', [actionId]);
    return found.rows[0]?.client_id;
  };

  it('is the same as with a key, and says in the record which application it was', async () => {
    const { token, grant } = await rows.issue(owner.account_id);
    const byToken = await post(path, { Authorization: `Bearer ${token}` });
    const byKey = await post(path, { 'X-Api-Key': owner.keys.worker });
    expectSuccess(byToken);
    expectSuccess(byKey);
    expect(Object.keys(byToken.body)).toEqual(Object.keys(byKey.body));
    expect(byToken.body).toMatchObject({ kind: 'abandon_node', wallet_address: byKey.body.wallet_address });
    expect(await clientOf(byToken.body.action_id)).toBe(grant.clientId);
    expect(await clientOf(byKey.body.action_id)).toBeNull();
    // The account's own API key can read the action that the application prepared.
    const shown = await send(`/v1/actions/${byToken.body.action_id}`, { headers: { 'X-Api-Key': owner.keys.read } });
    expect(shown.body.action_id).toBe(byToken.body.action_id);
  });

  it('takes a signature only from a token with the scope that has prepared it', async () => {
    const { body: action } = await post(path, { 'X-Api-Key': owner.keys.worker });
    const { domain, types, message } = action.payload;
    const { EIP712Domain: _domain, ...own } = types;
    const signature = await owner.participant.wallet.signTypedData(domain, own, message);
    const submissions = `/v1/actions/${action.action_id}/submissions`;
    for (const subset of SUBSETS) {
      const { token } = await rows.issue(owner.account_id, { scopes: subset });
      const answer = await post(submissions, { Authorization: `Bearer ${token}` }, JSON.stringify({ signature }));
      if (subset.includes('worker')) {
        expect([answer.status, answer.body.status]).toEqual([200, 'signed']);
        continue;
      }
      expectError(answer, 403, 'insufficient_scope');
      expect(answer.headers.get('www-authenticate')).toContain('scope="worker"');
    }
  });

  it("is not there for an application of another person's", async () => {
    const { body: action } = await post(path, { 'X-Api-Key': owner.keys.worker });
    const stranger = await fixture.services.accounts.create({ name: 'Apps stranger' });
    const { token } = await rows.issue(stranger.id);
    const headers = { Authorization: `Bearer ${token}` };
    expectError(await send(`/v1/actions/${action.action_id}`, { headers }), 404, 'not_found');
    expectError(await post(path, headers), 404, 'not_found');
  });
});

it('an account that is suspended is 403 for every application, whatever its scopes', async () => {
  const { id } = await fixture.services.accounts.create({ name: 'Apps suspended' });
  const tokens: string[] = [];
  for (const scopes of SUBSETS) tokens.push((await rows.issue(id, { scopes })).token);
  const codes = () =>
    Promise.all(
      tokens.map(async (token) => {
        const answer = await send('/v1/tasks?limit=1', { headers: { Authorization: `Bearer ${token}` } });
        return answer.body.error?.code;
      }),
    );
  expect(await codes()).not.toContain('account_suspended');
  await fixture.services.accounts.suspend(id);
  const end = Date.now() + 2_000;
  let seen = await codes();
  while (new Set(seen).size > 1 && Date.now() < end) seen = await codes();
  expect(new Set(seen)).toEqual(new Set(['account_suspended']));
});

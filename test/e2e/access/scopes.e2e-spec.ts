import { randomUUID } from 'node:crypto';
import { type DocumentedRoute, MarketDocument, pathOf } from '../../support/e2e/document.js';
import { expectError } from '../../support/e2e/answers.js';
import { send } from '../../support/e2e/http-request.js';
import { MISSING_IDS, sampleRequest } from '../../support/e2e/sample-requests.js';
import { MarketFixture, type Person } from '../../support/e2e/market-fixture.js';
import { localMarket } from '../../support/market.js';

const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'] as const;
/** Stands in place of a scope: the operation needs the scope with which the action in its path was prepared. */
const SCOPE_OF_ACTION = 'scope-of-action';
/**
 * docs/decisions/interface.md#operations, typed here a second time, so that the document is not its own only witness.
 */
const DECLARED: Record<string, string> = {
  getMe: 'read',
  listTasks: 'read',
  getTask: 'read',
  listTaskMatches: 'read',
  listTaskNodes: 'read',
  getTaskPreview: 'read',
  inviteAgents: 'buyer',
  listQuotes: 'read',
  listDeliveries: 'read',
  listReputation: 'read',
  listReceipts: 'read',
  listEvents: 'read',
  streamEvents: 'read',
  getEvent: 'read',
  createWebhookEndpoint: 'read',
  listWebhookEndpoints: 'read',
  getWebhookEndpoint: 'read',
  updateWebhookEndpoint: 'read',
  deleteWebhookEndpoint: 'read',
  rotateWebhookSecret: 'read',
  testWebhookEndpoint: 'read',
  listWebhookAttempts: 'read',
  replayWebhookEvents: 'read',
  getEarnings: 'read',
  listAgents: 'read',
  createAgentIdentityMessage: 'agent-owner',
  linkAgentIdentity: 'agent-owner',
  unlinkAgentIdentity: 'agent-owner',
  getAgentRegistration: 'read',
  listAgentFeedback: 'agent-owner',
  getAgentCard: 'read',
  setAgentEndpoint: 'agent-owner',
  deleteAgentEndpoint: 'agent-owner',
  getAgent: 'read',
  getAgentReputation: 'read',
  listAgentNodes: 'agent-owner',
  publishAgent: 'agent-owner',
  updateAgent: 'agent-owner',
  setAgentAvailability: 'agent-owner',
  prepareTaskCreation: 'buyer',
  prepareTaskSelection: 'buyer',
  prepareTaskFunding: 'buyer',
  prepareTaskResolution: 'buyer',
  prepareTaskRejection: 'buyer',
  prepareRefundWithdrawal: 'buyer',
  prepareQuote: 'worker',
  prepareSubcontract: 'worker',
  prepareNodeAbandonment: 'worker',
  prepareNodeResolution: 'worker',
  prepareNodeRejection: 'worker',
  prepareNodeDispute: 'worker',
  prepareNodeNonDeliveryClaim: 'read',
  submitDelivery: 'worker',
  prepareEarningsWithdrawal: 'worker',
  uploadArtifact: 'worker',
  getDeliveryArtifact: 'read',
  listActions: 'read',
  getAction: 'read',
  submitActionSignature: SCOPE_OF_ACTION,
  declineAction: SCOPE_OF_ACTION,
};
/**
 * The status that an authorized caller gets from operations without a record in their path. The other operations answer
 * that the record does not exist.
 */
const LETS_IN: Record<string, number> = {
  uploadArtifact: 200,
  prepareQuote: 404,
  prepareEarningsWithdrawal: 404,
  submitDelivery: 400,
  streamEvents: 400,
};
const statusFor = ({ operationId, path }: DocumentedRoute): number =>
  LETS_IN[operationId] ?? (path.includes('{') ? 404 : 200);
const isOpenTo = ({ scope }: DocumentedRoute, held: string): boolean => scope === held || scope === SCOPE_OF_ACTION;

let fixture: MarketFixture;
let person: Person;
let routes: DocumentedRoute[];
const challenge = (): string => `resource_metadata="${localMarket().base_url}/.well-known/oauth-protected-resource"`;

/**
 * Sends a request for a record that does not exist, valid in all else, so that only the credential decides the answer.
 */
const ask = (route: DocumentedRoute, headers: Record<string, string> | [string, string][] = {}) => {
  const { body, type } = sampleRequest(route.operationId) ?? {};
  const own: [string, string][] = Array.isArray(headers) ? headers : Object.entries(headers);
  const typed: [string, string][] = type === undefined ? [] : [['Content-Type', type]];
  return send(pathOf(route, { artifact_hash: MISSING_IDS.artifact_hash }), {
    method: route.method,
    headers: [...own, ...typed, ['Idempotency-Key', randomUUID()]],
    ...(body === undefined ? {} : { body }),
  });
};

beforeAll(async () => {
  fixture = await MarketFixture.open();
  person = await fixture.person('Scopes');
  routes = (await MarketDocument.load()).routes;
});
afterAll(() => fixture.close());

it('declares one scope for each operation, as the interface says', () => {
  expect(Object.fromEntries(routes.map(({ operationId, scope }) => [operationId, scope]))).toEqual(DECLARED);
});

it.each(SCOPES)('a %s key passes exactly the operations of its scope', async (held) => {
  for (const route of routes) {
    const answer = await ask(route, { 'X-Api-Key': person.keys[held] });
    const where = `${route.operationId} with ${held}`;
    if (isOpenTo(route, held)) {
      expect([where, answer.status]).toEqual([where, statusFor(route)]);
      continue;
    }
    expect([where, answer.status]).toEqual([where, 403]);
    expectError(answer, 403, 'insufficient_scope');
    expect(answer.body.error.reason).toContain(`"${route.scope}"`);
    expect(answer.body.error.reason).toContain(`"${held}"`);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="tasktree", error="insufficient_scope", scope="${route.scope}", ${challenge()}`,
    );
    expect(answer.headers.get('x-limit-remaining')).toMatch(/^\d+$/);
  }
});

it('takes a submission only by the scope that has prepared the action', async () => {
  const owner = await fixture.person('Scopes worker', { 'Scoped-1': ['scoping'] });
  const node = await fixture.fundedNode(person, owner);
  const post = (path: string, held: (typeof SCOPES)[number], body = '{}') =>
    send(path, {
      method: 'POST',
      headers: [
        ['X-Api-Key', owner.keys[held]],
        ['Content-Type', 'application/json'],
        ['Idempotency-Key', randomUUID()],
      ],
      body,
    });
  const { body: action } = await post(`/v1/tasks/${node.task.id}/nodes/${node.id}/abandon-intents`, 'worker');
  const { domain, types, message } = action.payload;
  const { EIP712Domain: _domain, ...own } = types;
  const signature = await owner.participant.wallet.signTypedData(domain, own, message);
  const path = `/v1/actions/${action.action_id}/submissions`;
  for (const made of [{ signature }, { transaction_hash: `0x${'ab'.repeat(32)}` }]) {
    for (const held of ['read', 'buyer', 'agent-owner'] as const) {
      const answer = await post(path, held, JSON.stringify(made));
      expectError(answer, 403, 'insufficient_scope');
      expect(answer.body.error.reason).toContain('"worker"');
      expect(answer.headers.get('www-authenticate')).toContain('scope="worker"');
    }
  }
  const shown = await send(`/v1/actions/${action.action_id}`, { headers: { 'X-Api-Key': owner.keys.read } });
  expect(shown.body.status).toBe('prepared');
  const taken = await post(path, 'worker', JSON.stringify({ signature }));
  expect([taken.status, taken.body.status]).toEqual([200, 'signed']);
});

describe('on every operation', () => {
  const everywhere = async (
    headers: () => Record<string, string> | [string, string][],
    status: number,
    code: string,
  ): Promise<void> => {
    const bodies = new Set<string>();
    for (const route of routes) {
      const answer = await ask(route, headers());
      expectError(answer, status, code);
      if (status === 401) expect(answer.headers.get('www-authenticate')).toContain(challenge());
      bodies.add(answer.text);
    }
    // All operations answer with the same body, so that nothing about an operation leaks before the caller is known.
    expect(bodies.size).toBe(1);
  };

  it('no credential is 401 with a challenge', () => everywhere(() => ({}), 401, 'unauthenticated'));

  it('a key and a token together are ambiguous', () =>
    everywhere(() => ({ 'X-Api-Key': person.keys.read, Authorization: 'Bearer x' }), 400, 'ambiguous_credentials'));

  it('a key twice is ambiguous', () =>
    everywhere(
      () => [
        ['X-Api-Key', person.keys.read],
        ['X-Api-Key', person.keys.read],
      ],
      400,
      'ambiguous_credentials',
    ));

  it.each(['x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhY2N0In0.', ''])('a bearer token %j is invalid', async (token) => {
    await everywhere(() => ({ Authorization: `Bearer ${token}` }), 401, 'invalid_token');
    const [first] = routes;
    const answer = await ask(first!, { Authorization: `Bearer ${token}` });
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('an API key as a bearer token is an invalid token', () =>
    everywhere(() => ({ Authorization: `Bearer ${person.keys.read}` }), 401, 'invalid_token'));

  it('an API key in Basic credentials is no credential', () =>
    everywhere(
      () => ({ Authorization: `Basic ${Buffer.from(`${person.keys.read}:`).toString('base64')}` }),
      401,
      'unauthenticated',
    ));

  it('an API key in a cookie is no credential', () =>
    everywhere(
      () => ({ Cookie: `X-Api-Key=${person.keys.read}; api_key=${person.keys.read}` }),
      401,
      'unauthenticated',
    ));
});

it.each(['api_key', 'X-Api-Key', 'x-api-key', 'access_token', 'key'])(
  'an API key in the query parameter %s is no credential',
  async (name) => {
    expectError(await send(`/v1/tasks?${name}=${person.keys.read}`), 401, 'unauthenticated');
  },
);

describe('a key that is not valid', () => {
  const refused = async (key: string, code = 'invalid_api_key'): Promise<string> => {
    const answer = await send('/v1/tasks', { headers: { 'X-Api-Key': key } });
    expectError(answer, 401, code);
    expect(answer.headers.get('www-authenticate')).toContain(challenge());
    return answer.text;
  };

  it('gets one and the same answer whatever is wrong with it', async () => {
    const { read } = person.keys;
    const flipped = (at: number): string => read.slice(0, at) + (read[at] === 'a' ? 'b' : 'a') + read.slice(at + 1);
    const wrong = {
      truncated: read.slice(0, -1),
      longer: `${read}0`,
      'another letter in the secret': flipped(15),
      'a broken checksum': flipped(read.length - 1),
      'upper case': read.toUpperCase(),
      'of the other deployment': read.replace('mkt_test_', 'mkt_live_'),
      'of another scope by its letter': read.replace('_r_', '_w_'),
      empty: '',
      huge: 'k'.repeat(4_000),
      SQL: "' OR 1=1 --",
      'a well-formed stranger': 'mkt_test_r_000000000000000000000000000000000000',
    };
    const bodies = new Map<string, string[]>();
    for (const [name, key] of Object.entries(wrong)) {
      const body = await refused(key);
      bodies.set(body, [...(bodies.get(body) ?? []), name]);
    }
    expect([...bodies.values()]).toEqual([Object.keys(wrong)]);
  });

  it('is told to be revoked or expired only after its whole secret was right', async () => {
    const { account } = person.participant;
    const { key, secret } = await fixture.services.keys.create(account.id, { scope: 'read', name: 'to be revoked' });
    expect((await send('/v1/tasks', { headers: { 'X-Api-Key': secret } })).status).toBe(200);
    await fixture.services.keys.revoke(key.id);
    await eventually(() => refused(secret, 'api_key_revoked'));
    await refused(`${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`);

    const old = await fixture.services.keys.create(account.id, { scope: 'read', name: 'to be expired', days: 1 });
    const { manager } = fixture.services.transactions;
    await manager.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [old.key.id]);
    await refused(old.secret, 'api_key_expired');
  });

  it('is refused on a write too, before anything is looked at', async () => {
    const answer = await send('/v1/tasks/!/nodes/!/abandon-intents', {
      method: 'POST',
      headers: { 'X-Api-Key': 'mkt_test_w_x', 'Content-Type': 'application/json' },
      body: '{}',
    });
    expectError(answer, 401, 'invalid_api_key');
  });
});

it('a suspended account is 403 with every key', async () => {
  const suspended = await fixture.person('Suspended');
  const { id } = suspended.participant.account;
  const ok = await send('/v1/tasks?limit=1', { headers: { 'X-Api-Key': suspended.keys.read } });
  expect(ok.status).toBe(200);
  await fixture.services.accounts.suspend(id);
  for (const scope of SCOPES) {
    await eventually(async () =>
      expectError(
        await send('/v1/tasks?limit=1', { headers: { 'X-Api-Key': suspended.keys[scope] } }),
        403,
        'account_suspended',
      ),
    );
  }
});

/**
 * Repeats the assertion until it passes, because a changed credential reaches the service by a notification, a moment
 * later.
 */
async function eventually(assertion: () => Promise<unknown>, withinMs = 2_000): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

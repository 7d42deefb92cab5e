import http from 'node:http';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { AccessTokens } from '../../../src/modules/credentials/access-tokens/access-tokens.js';
import { GrantUsage } from '../../../src/modules/credentials/access-tokens/grant-usage.js';
import { tokenChangeId } from '../../../src/modules/credentials/presented-token.js';
import { announceCredentialChange, CredentialChanges } from '../../../src/modules/accounts/credential-changes.js';
import { SCOPES } from '../../../src/modules/credentials/scope.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { mintTaggedToken } from '../../../src/modules/credentials/credential-tags.js';
import { Sealer } from '../../../src/platform/secrets/sealer.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { lockedTable } from '../../support/locked-table.js';
import { AccessTokenRows, type GrantRows, sha256 } from '../../support/oauth/access-token-rows.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';
import { sentStatements } from '../../support/sent-statements.js';

const BASE_URL = 'https://market.example';
const METADATA = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource"`;
const DPOP = 'DPoP realm="tasktree", algs="ES256 EdDSA"';
const INVALID = `Bearer realm="tasktree", error="invalid_token", scope="read", ${METADATA}, ${DPOP}`;

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let other: ProbeApp;
let rows: AccessTokenRows;

const settings = (more = {}) => testEnvironment(database.url, { rateLimitAuthFailures: 100_000, ...more });
/** Shorter than the five seconds after which a process forgets a credential by itself. */
const SOON_MS = 3_000;

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  rows = new AccessTokenRows((text, values) => database.dataSource.query(text, values), BASE_URL);
  [app, other] = await Promise.all([startProbeApp(settings()), startProbeApp(settings())]);
  await eventually(() => [app, other].every((each) => each.app.get(CredentialChanges).isListening));
});

afterAll(async () => {
  await Promise.all([app?.close(), other?.close()]);
  await database?.dataSource.destroy();
});

type Headers = Record<string, string | string[]> | string[];

interface Seen {
  status: number;
  code: string | undefined;
  body: any;
  challenge: string | undefined;
  headers: http.IncomingHttpHeaders;
}

function send(headers: Headers, { path = '/v1/whoami', method = 'GET', at = app, body = '' } = {}): Promise<Seen> {
  return new Promise((resolve, reject) => {
    // Node sends a flat list of headers unchanged and adds no Host to it.
    const sent = Array.isArray(headers) ? ['Host', 'localhost', ...headers] : headers;
    const request = http.request(at.url + path, { method, headers: sent, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const answer = JSON.parse(text);
        resolve({
          status: response.statusCode!,
          code: answer.error?.code,
          body: answer,
          challenge: response.headers['www-authenticate'],
          headers: response.headers,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const bearer = (token: string, options = {}) => send({ Authorization: `Bearer ${token}` }, options);
const newAccount = async () => (await app.newCaller()).accountId;
const query = (text: string, values: unknown[] = []) => database.dataSource.query(text, values);
/** Counts the look-ups of tokens from now on. */
const watchLookUps = () => sentStatements('access-token-read');
const announce = (id: string) => announceCredentialChange(new Transactions(database.dataSource), id);

describe('an access token', () => {
  it('acts for the account of its grant, which is the credential', async () => {
    const accountId = await newAccount();
    const { token, grant } = await rows.issue(accountId);
    const { status, body, headers } = await bearer(token);
    expect([status, body]).toEqual([200, { account_id: accountId, credential_id: grant.id }]);
    expect(headers['service-version']).toBe('2026-11-20');
    expect(app.outcomes.at(-1)?.request.context.principal).toMatchObject({ accountId, clientId: grant.clientId });
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('is sent under the scheme %j', async (scheme) => {
    const { token } = await rows.issue(await newAccount());
    expect((await send({ Authorization: `${scheme} ${token}` })).status).toBe(200);
  });

  it('is found anew when it was found a moment ago, and when nothing can be remembered', async () => {
    const { token } = await rows.issue(await newAccount());
    expect((await bearer(token)).status).toBe(200);
    expect((await bearer(token)).status).toBe(200);
    expect((await bearer(token, { at: other })).status).toBe(200);
  });

  it('is looked up once for all requests that come with it at the same time', async () => {
    const { token } = await rows.issue(await newAccount());
    const arrived = jest.spyOn(app.app.get(AccessTokens), 'verify');
    const lookUps = watchLookUps();
    const sent = await lockedTable(database.dataSource, 'oauth_records', async () => {
      const answers = Array.from({ length: 20 }, () => bearer(token));
      await eventually(() => arrived.mock.calls.length === answers.length);
      return answers;
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect([new Set(statuses), lookUps()]).toEqual([new Set([200]), 1]);
    arrived.mockRestore();
  });

  it('takes wallet and cap from account and grant', async () => {
    const walletAddress = `0x${randomUUID().replaceAll('-', '')}deadbeef`.slice(0, 42);
    const account = await app.accounts.create({ name: 'Ada', walletAddress });
    const { token } = await rows.issue(account.id, { fundingCap: 2n ** 200n, scopes: ['read', 'buyer'] });
    await bearer(token);
    expect(app.outcomes.at(-1)?.request.context.principal).toMatchObject({
      walletAddress: account.walletAddress,
      fundingCap: 2n ** 200n,
      scopes: ['read', 'buyer'],
    });
  });

  it('has of its own scopes those that its grant has and that open something here', async () => {
    const { token } = await rows.issue(await newAccount(), {
      scopes: ['read', 'worker'],
      scope: 'openid offline_access admin worker buyer read read:all',
    });
    await bearer(token);
    expect(app.outcomes.at(-1)?.request.context.principal?.scopes).toEqual(['read', 'worker']);
  });
});

describe('a token that is not valid', () => {
  const change = async (what: string, token: string, grant: GrantRows): Promise<void> => {
    const changes: Record<string, [string, unknown[]]> = {
      'has expired': [
        "UPDATE oauth_records SET expires_at = now() - interval '1 s' WHERE id_hash = $1",
        [sha256(token)],
      ],
      'has expired by its own words': [
        `UPDATE oauth_records SET payload = payload || '{"exp": 1}' WHERE id_hash = $1`,
        [sha256(token)],
      ],
      'was revoked': ['DELETE FROM oauth_records WHERE id_hash = $1', [sha256(token)]],
      'has lost its grant': ["DELETE FROM oauth_records WHERE kind = 'Grant' AND grant_id = $1", [grant.id]],
      'has an expired grant': [
        "UPDATE oauth_records SET expires_at = now() - interval '1 s' WHERE kind = 'Grant' AND grant_id = $1",
        [grant.id],
      ],
      'was taken back': ['UPDATE oauth_grants SET revoked_at = now() WHERE id = $1', [grant.id]],
      'was allowed for a time that is over': [
        "UPDATE oauth_grants SET expires_at = now() - interval '1 s' WHERE id = $1",
        [grant.id],
      ],
      'was never allowed by a person': ['DELETE FROM oauth_grants WHERE id = $1', [grant.id]],
      'is of another application than its grant': [
        "UPDATE oauth_grants SET client_id = 'another' WHERE id = $1",
        [grant.id],
      ],
      'is of another account than its grant': [
        'UPDATE oauth_grants SET account_id = $2 WHERE id = $1',
        [grant.id, await newAccount()],
      ],
      'names no audience': ["UPDATE oauth_records SET payload = payload - 'aud' WHERE id_hash = $1", [sha256(token)]],
    };
    const [text, values] = changes[what]!;
    await query(text, values);
  };

  it.each([
    'has expired',
    'has expired by its own words',
    'was revoked',
    'has lost its grant',
    'has an expired grant',
    'was taken back',
    'was allowed for a time that is over',
    'was never allowed by a person',
    'is of another application than its grant',
    'is of another account than its grant',
    'names no audience',
  ])('since it %s', async (what) => {
    const { token, grant } = await rows.issue(await newAccount());
    await change(what, token, grant);
    const { status, code, challenge } = await bearer(token);
    expect([status, code, challenge]).toEqual([401, 'invalid_token', INVALID]);
  });

  it.each(['https://other.example', `${BASE_URL}/`, `${BASE_URL}/v1`, 'market.example', ''])(
    'since it is for %j',
    async (audience) => {
      const { token } = await rows.issue(await newAccount(), { audience });
      expect((await bearer(token)).code).toBe('invalid_token');
    },
  );

  it.each(['RefreshToken', 'AuthorizationCode', 'ClientCredentials', 'Grant', 'Session', 'RegistrationAccessToken'])(
    'since it is a %s',
    async (kind) => {
      const { token } = await rows.issue(await newAccount(), { kind });
      expect((await bearer(token)).code).toBe('invalid_token');
    },
  );

  it('since it is a grant id, or the hash of a token', async () => {
    const { token, grant } = await rows.issue(await newAccount());
    expect((await bearer(grant.id)).code).toBe('invalid_token');
    expect((await bearer(sha256(token).toString('base64url'))).code).toBe('invalid_token');
  });

  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['nothing', () => ''],
    ['a word', () => 'token'],
    ['a token cut short', (token: string) => token.slice(1)],
    ['a token and more', (token: string) => `${token}A`],
    ['two tokens', (token: string) => `${token} ${token}`],
    ['a quoted token', (token: string) => `"${token}"`],
    ['a JWT without signature', () => `${encoded({ alg: 'none' })}.${encoded({ sub: 'acct_1', scope: 'read' })}.`],
    ['an id token', () => `${encoded({ alg: 'ES256' })}.${encoded({ iss: BASE_URL })}.${'A'.repeat(86)}`],
    ['an API key', () => `mkt_test_r_${'0'.repeat(36)}`],
    ['SQL', () => `' OR 1=1 --${'A'.repeat(32)}`],
    ['four thousand letters', () => 'A'.repeat(4_000)],
  ])('is told by its form, without a look-up: %s', async (_, junk) => {
    const { token } = await rows.issue(await newAccount());
    const lookUps = watchLookUps();
    const { status, code, challenge } = await bearer(junk(token));
    expect([status, code, challenge]).toEqual([401, 'invalid_token', INVALID]);
    expect(lookUps()).toBe(0);
  });

  it('is looked up once, when its form is right', async () => {
    const lookUps = watchLookUps();
    await bearer('A'.repeat(43));
    expect(lookUps()).toBe(1);
  });

  it('gets one and the same answer whatever is wrong with it', async () => {
    const { token, grant } = await rows.issue(await newAccount());
    await query('UPDATE oauth_grants SET revoked_at = now() WHERE id = $1', [grant.id]);
    const answers = await Promise.all([token, 'junk', 'A'.repeat(43)].map((each) => bearer(each)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

describe('what ends a token ends it at once in every process', () => {
  const known = async (...tokens: string[]) => {
    for (const token of tokens) {
      for (const at of [app, other]) expect((await bearer(token, { at })).status).toBe(200);
    }
  };
  const ended = async (token: string, code = 'invalid_token') => {
    for (const at of [app, other]) await eventually(async () => (await bearer(token, { at })).code === code, SOON_MS);
  };

  it('a grant that is taken back, with all its tokens and no others', async () => {
    const accountId = await newAccount();
    const [first, second] = [await rows.issue(accountId), await rows.issue(accountId)];
    const sibling = await rows.token(first.grant);
    await known(first.token, sibling, second.token);
    await query('UPDATE oauth_grants SET revoked_at = now() WHERE id = $1', [first.grant.id]);
    await announce(first.grant.id);
    await Promise.all([ended(first.token), ended(sibling)]);
    await known(second.token);
  });

  it('a token that is revoked, and not the others of its grant', async () => {
    const { token, grant } = await rows.issue(await newAccount());
    const sibling = await rows.token(grant);
    await known(token, sibling);
    await query('DELETE FROM oauth_records WHERE id_hash = $1', [sha256(token)]);
    await announce(tokenChangeId(sha256(token)));
    await ended(token);
    await known(sibling);
  });

  it('an account that is suspended: 403, and no failed authentication', async () => {
    const accountId = await newAccount();
    const { token } = await rows.issue(accountId);
    await known(token);
    await app.accounts.suspend(accountId);
    await ended(token, 'account_suspended');
    const { status, challenge } = await bearer(token);
    expect([status, challenge]).toEqual([403, undefined]);
  });

  it('its own time, without anybody saying so', async () => {
    const { token, grant } = await rows.issue(await newAccount());
    const end = Date.now() + 600_000;
    await query('UPDATE oauth_grants SET expires_at = $2 WHERE id = $1', [grant.id, new Date(end)]);
    expect((await bearer(token)).status).toBe(200);
    const later = jest.spyOn(app.app.get(Clock), 'wallMs').mockReturnValue(end + 1);
    const { code } = await bearer(token);
    later.mockRestore();
    expect(code).toBe('invalid_token');
  });
});

describe('more than one credential is refused', () => {
  it.each([
    ['a key and a token', (key: string, token: string) => ['X-Api-Key', key, 'Authorization', `Bearer ${token}`]],
    ['an empty key and a token', (_: string, token: string) => ['X-Api-Key', '', 'Authorization', `Bearer ${token}`]],
    ['a key and an empty token', (key: string) => ['X-Api-Key', key, 'Authorization', 'Bearer']],
    ['one token twice', (_: string, t: string) => ['Authorization', `Bearer ${t}`, 'authorization', `Bearer ${t}`]],
    ['a token and junk', (_: string, token: string) => ['Authorization', `Bearer ${token}`, 'AUTHORIZATION', 'x']],
    [
      'Basic and a token',
      (_: string, token: string) => ['Authorization', 'Basic eDp5', 'Authorization', `Bearer ${token}`],
    ],
    [
      'a token under both schemes',
      (_: string, t: string) => ['Authorization', `DPoP ${t}`, 'Authorization', `Bearer ${t}`],
    ],
  ])('%s', async (_, headers) => {
    const { accountId, keys } = await app.newCaller();
    const { token } = await rows.issue(accountId);
    const { status, code } = await send(headers(keys.read, token));
    expect([status, code]).toEqual([400, 'ambiguous_credentials']);
  });
});

interface Elsewhere {
  path?: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

describe('a token elsewhere is never looked at', () => {
  it.each<[string, (token: string) => Elsewhere]>([
    ['in the query', (token: string) => ({ path: `/v1/whoami?access_token=${token}` })],
    [
      'in a cookie',
      (token: string) => ({ headers: { Cookie: `access_token=${token}; Authorization=Bearer ${token}` } }),
    ],
    ['as Basic credentials', (token: string) => ({ headers: { Authorization: `Basic ${btoa(`${token}:`)}` } })],
    ['under a scheme of its own', (token: string) => ({ headers: { Authorization: `Token ${token}` } })],
    ['without a scheme', (token: string) => ({ headers: { Authorization: token } })],
    ['as a proxy would be told', (token: string) => ({ headers: { 'Proxy-Authorization': `Bearer ${token}` } })],
    [
      'in the body',
      (token: string) => ({
        path: '/v1/tasks/t/nodes/n/abandon-intents',
        method: 'POST',
        body: `access_token=${token}`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    ],
  ])('%s', async (_, made) => {
    const { token } = await rows.issue(await newAccount());
    const { headers = {}, ...options }: Elsewhere = made(token);
    const { status, code, challenge } = await send(headers, options);
    expect([status, code]).toEqual([401, 'unauthenticated']);
    const scope = options.method === 'POST' ? 'worker' : 'read';
    expect(challenge).toBe(`Bearer realm="tasktree", scope="${scope}", ${METADATA}, ${DPOP}`);
  });
});

it.each(SCOPES)(
  'a token of %s alone opens the routes of that scope alone, and the challenge names what is needed',
  async (scope) => {
    const { token } = await rows.issue(await newAccount(), { scopes: [scope] });
    const { status, challenge, body } = await bearer(token);
    if (scope === 'read') return expect(status).toBe(200);
    expect([status, body.error.suggestion, challenge]).toEqual([
      403,
      'Connect again, and allow "read".',
      `Bearer realm="tasktree", error="insufficient_scope", scope="read", ${METADATA}`,
    ]);
  },
);

describe('the same rules as for keys', () => {
  it('one ceiling for all credentials of an account', async () => {
    const small = await startProbeApp(settings({ rateLimitAccount: 4 }));
    const { accountId, keys } = await app.newCaller();
    const [first, second] = [await rows.issue(accountId), await rows.issue(accountId)];
    const calls: Record<string, string>[] = [first, second].map(({ token }) => ({ Authorization: `Bearer ${token}` }));
    const seen: number[] = [];
    for (const headers of [...calls, { 'X-Api-Key': keys.read }, ...calls]) {
      seen.push((await send(headers, { at: small })).status);
    }
    await small.close();
    expect(seen).toEqual([200, 200, 200, 200, 429]);
  });

  it('one space of idempotency keys for all credentials of an account', async () => {
    const { accountId, keys } = await app.newCaller();
    const { token } = await rows.issue(accountId);
    const act = { path: '/v1/tasks/t1/nodes/n1/abandon-intents', method: 'POST' };
    const once = { 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' };
    const first = await send({ ...once, 'X-Api-Key': keys.worker }, act);
    const again = await send({ ...once, Authorization: `Bearer ${token}` }, act);
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('the version of today for a request that names none', async () => {
    const { token } = await rows.issue(await newAccount());
    expect((await bearer(token)).headers['service-version']).toBe('2026-11-20');
  });

  it('guesses end in 429, while tokens that were good once, and good ones, are answered', async () => {
    const strict = await startProbeApp(settings({ rateLimitIp: 20, trustedProxies: ['127.0.0.1'] }));
    const accountId = await newAccount();
    const made = mintTaggedToken(new Sealer(settings()));
    const [good, gone] = [await rows.issue(accountId, { token: made }), await rows.issue(accountId)];
    await query('UPDATE oauth_grants SET revoked_at = now() WHERE id = $1', [gone.grant.id]);
    const from = async (token: string) =>
      (await send({ Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.77' }, { at: strict })).code;
    for (let i = 0; i < 40; i++) expect(await from(gone.token)).toBe('invalid_token');
    const guesses: (string | undefined)[] = [];
    for (let i = 0; i < 30; i++) guesses.push(await from(i % 2 === 0 ? 'junk' : `${'A'.repeat(41)}${i + 10}`));
    expect(guesses.filter((code) => code === 'rate_limited')).toHaveLength(10);
    expect(await from(good.token)).toBeUndefined();
    await strict.close();
  });
});

it('the last use of a grant is written off the request path, at most once a minute', async () => {
  const { token, grant } = await rows.issue(await newAccount());
  const usage = app.app.get(GrantUsage);
  const lastUse = async () => {
    const [row] = await query('SELECT last_used_at FROM oauth_grants WHERE id = $1', [grant.id]);
    return (row.last_used_at as Date | null)?.getTime() ?? null;
  };
  // Its timer may be running already and would write too early.
  await usage.flush();
  await bearer(token);
  expect(await lastUse()).toBeNull();
  await usage.flush();
  const first = await lastUse();
  expect(Date.now() - first!).toBeLessThan(10_000);
  await bearer(await rows.token(grant));
  await usage.flush();
  expect(await lastUse()).toBe(first);
  usage.note(grant.id, first! + 61_000);
  await usage.flush();
  expect(await lastUse()).toBe(first! + 61_000);
});

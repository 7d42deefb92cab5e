import { ListeningService } from '../../support/listening-service.js';
import { withoutNotices } from '../../support/without-notices.js';
import { answersWithoutPages, OAuthDriver, REDIRECT } from './oauth-driver.js';
import { raced } from './raced-records.js';

let service: ListeningService;
let clientId: string;

beforeAll(async () => {
  service = await ListeningService.listen({ prepare: answersWithoutPages });
  ({ client_id: clientId } = await OAuthDriver.register(service));
});

afterAll(() => service?.close());

async function person(): Promise<OAuthDriver> {
  const { id } = await service.account('Ada');
  return new OAuthDriver(service, clientId, id);
}

const events = (accountId: string) =>
  service
    .rows<{ event: string }>('SELECT event FROM audit_events WHERE account_id = $1 ORDER BY id', [accountId])
    .then((rows) => rows.map(({ event }) => event));

describe('a code', () => {
  it('becomes one token set, whose answer names what was allowed and nothing else', async () => {
    const driver = await person();
    const answer = await driver.authorize({ params: { state: 'abc' } });
    expect([answer.get('state'), answer.get('iss')]).toEqual(['abc', service.environment.baseUrl]);
    const { status, body, headers } = await driver.exchange(answer.get('code') ?? '');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
    expect([body.scope, body.expires_in]).toEqual(['read buyer', 3600]);
    expect(await driver.opens(body.access_token)).toBe(200);
  });

  it('of 50 requests that race for it, one gets tokens, and they work on afterwards', async () => {
    const driver = await person();
    const code = await driver.code();
    const record = { kind: 'AuthorizationCode', accountId: driver.accountId };
    const answers = await raced(service, record, 50, () => driver.exchange(code));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.error}`))).toEqual(new Set(['400 invalid_grant']));
    const [winner] = won;
    expect(await driver.opens(winner?.body.access_token)).toBe(200);
    expect((await driver.refresh(winner?.body.refresh_token)).status).toBe(200);
    const sets = await service.rows(
      "SELECT 1 FROM oauth_records WHERE kind = 'RefreshToken' AND payload->>'accountId' = $1",
      [driver.accountId],
    );
    expect(sets).toHaveLength(2);
  });

  it('that comes again afterwards takes every token of it away', async () => {
    const driver = await person();
    const code = await driver.code();
    const { body } = await driver.exchange(code);
    expect(await driver.opens(body.access_token)).toBe(200);
    await withoutNotices(service.dataSource, async () => {
      expect((await driver.exchange(code)).body.error).toBe('invalid_grant');
      expect(await driver.opens(body.access_token)).toBe(401);
    });
    expect((await driver.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await events(driver.accountId)).toEqual(expect.arrayContaining(['grant_revoked', 'token_reuse_detected']));
    const grants = await service.rows<{ revoked_at: Date }>(
      'SELECT revoked_at FROM oauth_grants WHERE account_id = $1',
      [driver.accountId],
    );
    expect(grants.map(({ revoked_at: at }) => at instanceof Date)).toEqual([true]);
  });

  it('that comes again without the verifier of its request takes nothing away', async () => {
    const driver = await person();
    const code = await driver.code();
    const { body } = await driver.exchange(code);
    const stolen = await driver.exchange(code, { code_verifier: 'x'.repeat(43) });
    expect(stolen.body.error).toBe('invalid_grant');
    expect(await driver.opens(body.access_token)).toBe(200);
  });

  it('is worth nothing after 60 seconds', async () => {
    const driver = await person();
    const code = await driver.code();
    await service.rows(
      `UPDATE oauth_records SET payload = payload || jsonb_build_object('exp', extract(epoch FROM now())::int - 1),
         expires_at = now() - interval '1 second' WHERE kind = 'AuthorizationCode' AND payload->>'accountId' = $1`,
      [driver.accountId],
    );
    expect((await driver.exchange(code)).body.error).toBe('invalid_grant');
  });

  it('lives for 60 seconds, and is not in the table', async () => {
    const driver = await person();
    const code = await driver.code();
    const [row] = await service.rows<{ life: number; text: string }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS life, record::text AS text
       FROM oauth_records record WHERE kind = 'AuthorizationCode' AND payload->>'accountId' = $1`,
      [driver.accountId],
    );
    expect(row?.life).toBe(60);
    expect(row?.text).not.toContain(code);
  });

  it.each([
    ['another verifier', { code_verifier: 'y'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect', { redirect_uri: `${REDIRECT}/x` }],
    ['another port', { redirect_uri: REDIRECT.replace('7777', '7778') }],
  ])('is refused with %s, and stays good for its owner', async (_name, own) => {
    const driver = await person();
    const code = await driver.code();
    expect((await driver.exchange(code, own)).status).toBe(400);
    expect((await driver.exchange(code)).status).toBe(200);
  });

  it('is refused to another application', async () => {
    const driver = await person();
    const code = await driver.code();
    const other = await OAuthDriver.register(service);
    expect((await driver.exchange(code, { client_id: other.client_id })).body.error).toBe('invalid_grant');
  });

  it('is for this service only: a foreign resource is refused, each of our names is taken', async () => {
    const driver = await person();
    expect((await driver.authorize({ params: { resource: 'https://evil.example' } })).get('error')).toBe(
      'invalid_target',
    );
    for (const name of ['', '/', '/v1', '/mcp']) {
      const resource = `${service.url}${name}`;
      const code = await driver.code({ params: { resource } });
      const { status, body } = await driver.exchange(code, { resource });
      expect([name, status, await driver.opens(body.access_token)]).toEqual([name, 200, 200]);
    }
  });
});

describe('an authorization request', () => {
  it.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a token instead of a code', { response_type: 'token' }, 'unsupported_response_type'],
    ['an id_token instead of a code', { response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['nobody to ask', { prompt: 'none' }, 'login_required'],
  ])('with %s goes back with %s', async (_name, params, error) => {
    const driver = await person();
    await driver.visit(driver.authorizeUrl(params));
    const url = new URL(driver.location);
    expect(driver.location.startsWith(REDIRECT)).toBe(true);
    const answer = new URLSearchParams(url.search || url.hash.slice(1));
    expect([answer.get('error'), answer.get('iss')]).toEqual([error, service.url]);
  });

  it('to an address that is not registered goes nowhere, and says so to a person on a page of ours', async () => {
    const driver = await person();
    const answer = await driver.visit(driver.authorizeUrl({ redirect_uri: 'https://evil.example/<b>' }));
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(text).toContain('not registered');
    expect(answer.headers.get('content-security-policy')).toContain("base-uri 'none'");
    expect([answer.headers.get('x-frame-options'), answer.headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
    expect(text).not.toMatch(/evil|<b>|fonts\.g/);
    const json = await driver.visit(driver.authorizeUrl({ redirect_uri: 'https://evil.example' }), {
      accept: 'application/json',
    });
    expect(await json.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it('without a scope asks for read', async () => {
    const driver = await person();
    const { body } = await driver.exchange(await driver.code({ params: { scope: undefined } }));
    expect(body.scope).toBe('read');
  });

  it('with openid gets an id_token, which our keys verify', async () => {
    const driver = await person();
    const code = await driver.code({ params: { scope: 'openid read', nonce: 'n-1' } });
    const { body } = await driver.exchange(code);
    const [, payload = ''] = body.id_token.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      sub: driver.accountId,
      aud: clientId,
      iss: service.url,
      nonce: 'n-1',
    });
  });

  it('pushed beforehand works once', async () => {
    const driver = await person();
    const pushed = await driver.post('/oauth/par', Object.fromEntries(new URL(driver.authorizeUrl()).searchParams));
    expect(pushed.status).toBe(201);
    const params = { request_uri: pushed.body.request_uri };
    const bare = { redirect_uri: undefined, response_type: undefined, scope: undefined, state: undefined };
    const answer = await driver.authorize({
      params: { ...bare, code_challenge: undefined, code_challenge_method: undefined, ...params },
    });
    expect((await driver.exchange(answer.get('code') ?? '')).status).toBe(200);
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    const again = await driver.visit(driver.authorizeUrl({ ...bare, ...none, ...params }), {
      accept: 'application/json',
    });
    expect([again.status, await again.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request_uri' }),
    ]);
  });
});

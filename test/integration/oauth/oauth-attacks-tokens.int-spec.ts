import { generateKeyPair, SignJWT } from 'jose';
import { AttackFixture, CALLBACK, refusal } from './attack-fixture.js';
import { tokensOf } from '../../support/oauth/connected-client.js';

let fixture: AttackFixture;
/** Another issuer that uses the same secret, by a careless operator. */
let other: AttackFixture;

beforeAll(async () => {
  fixture = await AttackFixture.start();
  other = await AttackFixture.start();
});

afterAll(async () => {
  await fixture?.close();
  await other?.close();
});

/** Expects the API's answer to an invalid token, whose challenge points to this service and no other. */
async function expectNoToken(authorization: string): Promise<void> {
  const answer = await fixture.unharmed(() => fixture.send('/v1/tasks', { headers: { Authorization: authorization } }));
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([401, 'invalid_token']);
  const challenge = answer.headers.get('WWW-Authenticate') ?? '';
  expect(challenge).toContain('error="invalid_token"');
  expect(challenge).toContain(`resource_metadata="${fixture.url}/.well-known/oauth-protected-resource"`);
  expect(answer.text).not.toContain(authorization.split(' ')[1]?.slice(0, 20));
}

describe('at the interface', () => {
  it('a good token of another issuer is none', async () => {
    const { access_token: token } = await other.tokens();
    expect(await other.opens(token)).toBe(200);
    await expectNoToken(`Bearer ${token}`);
  });

  it.each([
    'refresh token',
    'code',
    'id_token',
    'session cookie',
    'browser cookie',
    'client id',
    'grant id',
    'token hash',
  ])('a real %s is no access token', async (what) => {
    const { person, asked, redirect, code } = await fixture.code('openid read');
    const { body } = await fixture.client.redeem(redirect, asked);
    const cookie = (name: string) => person.jar.all.find(([each]) => each === name)?.[1];
    const [row] = await fixture.app.rows<{ id: string; hash: string }>(
      `SELECT grant_id AS id, encode(id_hash, 'base64') AS hash FROM oauth_records
         WHERE kind = 'AccessToken' ORDER BY created_at DESC LIMIT 1`,
    );
    const real: Record<string, string | undefined> = {
      'refresh token': body.refresh_token,
      code,
      id_token: body.id_token,
      'session cookie': cookie('tasktree_session'),
      'browser cookie': cookie('tasktree_browser'),
      'client id': fixture.client.clientId,
      'grant id': row?.id,
      'token hash': row?.hash.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    };
    expect(real[what]).toMatch(/./);
    await expectNoToken(`Bearer ${real[what]}`);
    expect(await fixture.opens(body.access_token)).toBe(200);
  });

  it.each(['none', 'HS256', 'ES256'])('a self-made JWT of %s with every right is none', async (alg) => {
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: fixture.url,
      aud: fixture.url,
      sub: 'acct_1',
      scope: 'read buyer worker agent-owner',
      exp: 2e9,
    };
    const { privateKey } = await generateKeyPair('ES256');
    const made: Record<string, () => Promise<string>> = {
      none: async () => `${encoded({ alg: 'none', typ: 'at+jwt' })}.${encoded(claims)}.`,
      HS256: () => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('secret')),
      ES256: () => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey),
    };
    await expectNoToken(`Bearer ${await made[alg]?.()}`);
  });

  it('a token that has expired is none', async () => {
    const { access_token: token } = await fixture.tokens();
    await fixture.app.rows(
      `UPDATE oauth_records SET expires_at = now() - interval '1 s',
         payload = payload || jsonb_build_object('exp', extract(epoch FROM now())::int - 1)
       WHERE kind = 'AccessToken'`,
    );
    await expectNoToken(`Bearer ${token}`);
  });

  it('a token that the application has revoked is none, at once', async () => {
    const { access_token: token } = await fixture.tokens();
    expect(await fixture.opens(token)).toBe(200);
    const answer = await fixture.form('/oauth/revoke', { token, client_id: fixture.client.clientId });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await fixture.events(answer)).toContain('token_revoked');
    await expectNoToken(`Bearer ${token}`);
  });
});

describe('revocation', () => {
  const revoke = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    fixture.form('/oauth/revoke', form, headers);

  it.each(['access_token', 'refresh_token'] as const)(
    'of the %s of another application ends nothing, and does not say that it exists',
    async (kind) => {
      const tokens = await fixture.tokens();
      const { clientId } = await fixture.register({ redirectUris: [CALLBACK] });
      const [real, unknown] = await fixture.unharmed(async () => [
        await revoke({ token: tokens[kind], token_type_hint: kind, client_id: clientId }),
        await revoke({ token: 'A'.repeat(43), token_type_hint: kind, client_id: clientId }),
      ]);
      expect([real.status, real.text]).toEqual([unknown.status, unknown.text]);
      expect(await fixture.events(real)).not.toContain('token_revoked');
      expect(await fixture.opens(tokens.access_token)).toBe(200);
      expect((await fixture.client.refresh(tokens.refresh_token)).status).toBe(200);
    },
  );

  it.each<[string, Record<string, string>, string]>([
    ['nobody', {}, 'invalid_request'],
    ['an application that nobody knows', { client_id: 'nobody' }, 'invalid_client'],
  ])('by %s ends nothing', async (_, form, error) => {
    const { access_token: token } = await fixture.tokens();
    const answer = await fixture.unharmed(() => revoke({ token, ...form }));
    expect([400, 401]).toContain(answer.status);
    expect(refusal(answer)[1]).toBe(error);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
    expect(await fixture.opens(token)).toBe(200);
  });

  it('by the address of a page ends nothing', async () => {
    const { access_token: token } = await fixture.tokens();
    const query = new URLSearchParams({ token, client_id: fixture.client.clientId }).toString();
    const answers = await fixture.unharmed(async () => [
      await fixture.send(`/oauth/revoke?${query}`),
      await fixture.form(`/oauth/revoke?${query}`, {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([405, 400]);
    expect(await fixture.opens(token)).toBe(200);
  });

  it('of what is no token at all is answered like any other', async () => {
    const { clientId } = fixture.client;
    for (const token of ["' OR 1=1 --", 'x'.repeat(5_000), 'é\u0000', '../../etc/passwd']) {
      const answer = await fixture.unharmed(() => revoke({ token, client_id: clientId }));
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
  });
});

describe('introspection', () => {
  const inspect = (token: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    fixture.form('/oauth/introspect', { token, ...form }, headers);
  const basic = (id: string, secret: string | null) => ({ Authorization: `Basic ${btoa(`${id}:${secret ?? ''}`)}` });

  it('by the public application that has the token itself says nothing', async () => {
    const { access_token: token } = await fixture.tokens();
    const answer = await fixture.unharmed(() => inspect(token, { client_id: fixture.client.clientId }));
    if (answer.status === 200) expect(JSON.parse(answer.text)).toEqual({ active: false });
    else expect([401, 'invalid_client']).toEqual(refusal(answer));
    expect(await fixture.events(answer)).toHaveLength(1);
  });

  it('by an application with a secret that is no gateway says nothing', async () => {
    const { access_token: token } = await fixture.tokens();
    const { clientId, secret } = await fixture.register({ authMethod: 'client_secret_basic' });
    const answer = await fixture.unharmed(() => inspect(token, {}, basic(clientId, secret)));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { active: false }]);
    expect(await fixture.audit(answer)).toEqual([
      expect.objectContaining({
        event: 'token_inspected',
        client_id: clientId,
        detail: expect.objectContaining({ active: false }),
      }),
    ]);
  });

  it.each<[string, (id: string, secret: string) => [Record<string, string>, Record<string, string>]]>([
    ['without its secret', (id) => [{ client_id: id }, {}]],
    ['with a wrong secret', (id) => [{}, basic(id, 'wrong')]],
    ['with its secret and the name of another', (_id, secret) => [{}, basic(fixture.client.clientId, secret)]],
  ])('by who claims to be the gateway %s says nothing', async (_, claim) => {
    const { access_token: token } = await fixture.tokens();
    const { clientId, secret } = await fixture.register({ authMethod: 'client_secret_basic', isGateway: true });
    const [form, headers] = claim(clientId, secret ?? '');
    const answer = await fixture.unharmed(() => inspect(token, form, headers));
    expect([400, 401]).toContain(answer.status);
    expect(refusal(answer)[1]).toMatch(/^invalid_(client|request)$/);
    expect(answer.text).not.toContain('active');
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('by a gateway says nothing of a refresh token beyond whether it is good, and nothing of a code or a session', async () => {
    const { clientId, secret } = await fixture.register({ authMethod: 'client_secret_basic', isGateway: true });
    const { person, asked, redirect, code } = await fixture.code();
    const waiting = await fixture.unharmed(() => inspect(code, {}, basic(clientId, secret)));
    expect(JSON.parse(waiting.text)).toEqual({ active: false });
    const tokens = tokensOf(await fixture.client.redeem(redirect, asked));
    for (const [, value] of person.jar.all) {
      const answer = await fixture.unharmed(() => inspect(value, {}, basic(clientId, secret)));
      expect(JSON.parse(answer.text)).toEqual({ active: false });
    }
    const seen = await inspect(tokens.access_token, {}, basic(clientId, secret));
    expect(JSON.parse(seen.text)).toMatchObject({ active: true, aud: fixture.url });
  });

  it('cannot be asked for by an address', async () => {
    const { access_token: token } = await fixture.tokens();
    expect((await fixture.send(`/oauth/introspect?token=${token}`)).status).toBe(405);
  });
});

describe('a script of a foreign site', () => {
  it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/par'])(
    'may neither ask for a preflight of %s nor read what it answers',
    async (path) => {
      const foreign = { Origin: 'https://evil.example' };
      const preflight = await fixture.send(path, {
        method: 'OPTIONS',
        headers: { ...foreign, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'dpop' },
      });
      const answer = await fixture.unharmed(() =>
        fixture.form(
          path,
          { client_id: fixture.client.clientId, grant_type: 'refresh_token', refresh_token: 'x' },
          foreign,
        ),
      );
      for (const { headers } of [preflight, answer]) {
        expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
        expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
      }
      expect(answer.status).toBeGreaterThanOrEqual(400);
    },
  );

  it('gets no tokens for a code, even with its verifier', async () => {
    const { asked, code } = await fixture.code();
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: asked.verifier };
    const answer = await fixture.fruitless(() =>
      fixture.form('/oauth/token', { ...form, client_id: fixture.client.clientId }, { Origin: 'https://evil.example' }),
    );
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('access_token');
  });
});

import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { OAuthGrants } from '../../../src/modules/oauth/storage/oauth-grants.js';
import { type Answer, AttackFixture, CALLBACK, refusal, WEB_CALLBACK } from './attack-fixture.js';
import { tokensOf } from '../../support/oauth/connected-client.js';

let fixture: AttackFixture;

beforeAll(async () => {
  fixture = await AttackFixture.start();
});

afterAll(() => fixture?.close());

type Waiting = Awaited<ReturnType<AttackFixture['code']>>;

/** The form with which the honest application redeems its code. A null value leaves the member out. */
function formOf({ code, asked }: Waiting, own: Readonly<Record<string, string | null>> = {}): Record<string, string> {
  const all = {
    grant_type: 'authorization_code',
    client_id: fixture.client.clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: asked.verifier,
    ...own,
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

const redeem = (waiting: Waiting, own: Readonly<Record<string, string | null>> = {}, more = '') =>
  fixture.form('/oauth/token', `${new URLSearchParams(formOf(waiting, own)).toString()}${more}`);

/** Expects a recorded refusal, after which the code's owner can still redeem it. */
async function expectRefusedButKept(waiting: Waiting, answer: Answer, errors: string[], status = 400): Promise<void> {
  const [given, error] = refusal(answer);
  expect(given).toBe(status);
  expect(errors).toContain(error);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(await fixture.events(answer)).toEqual(['token_refused']);
  expect((await redeem(waiting)).status).toBe(200);
}

describe('a stolen code', () => {
  it.each<[string, Readonly<Record<string, string | null>>]>([
    ['another verifier', { code_verifier: 'v'.repeat(43) }],
    ['no verifier', { code_verifier: null }],
    ['an empty verifier', { code_verifier: '' }],
    ['a short verifier', { code_verifier: 'v'.repeat(42) }],
    ['a long verifier', { code_verifier: 'v'.repeat(129) }],
    ['another redirect_uri', { redirect_uri: `${CALLBACK}/x` }],
    ['no redirect_uri', { redirect_uri: null }],
    ['a foreign redirect_uri', { redirect_uri: 'https://evil.example/cb' }],
    ['the name of another grant', { grant_type: 'refresh_token' }],
  ])('is worth nothing with %s, and its owner keeps it', async (_, own) => {
    const waiting = await fixture.code();
    const answer = await fixture.unharmed(() => redeem(waiting, own));
    await expectRefusedButKept(waiting, answer, ['invalid_grant', 'invalid_request', 'invalid_target']);
  });

  it('is worth nothing with the challenge of its request, which travelled through the address', async () => {
    const waiting = await fixture.code();
    const challenge = waiting.asked.url.searchParams.get('code_challenge') ?? '';
    const answer = await fixture.unharmed(() => redeem(waiting, { code_verifier: challenge }));
    await expectRefusedButKept(waiting, answer, ['invalid_grant']);
  });

  it('is worth nothing to another application, even with its verifier', async () => {
    const waiting = await fixture.code();
    const { clientId } = await fixture.register({ redirectUris: [CALLBACK] });
    const answer = await fixture.unharmed(() => redeem(waiting, { client_id: clientId }));
    await expectRefusedButKept(waiting, answer, ['invalid_grant']);
  });

  it('is worth nothing to an application that nobody knows, or that names none', async () => {
    const waiting = await fixture.code();
    const nobody = await fixture.unharmed(() => redeem(waiting, { client_id: 'nobody' }));
    expect(refusal(nobody)).toEqual([401, 'invalid_client']);
    const none = await fixture.unharmed(() => redeem(waiting, { client_id: null }));
    await expectRefusedButKept(waiting, none, ['invalid_request']);
  });

  it('cannot be put into the session of an honest application: its verifier does not fit', async () => {
    const thief = await fixture.code();
    const victim = await fixture.code();
    const answer = await fixture.unharmed(() => redeem(victim, { code: thief.code }));
    await expectRefusedButKept(thief, answer, ['invalid_grant']);
  });

  it('is no token: neither at the interface nor to refresh with', async () => {
    const waiting = await fixture.code();
    expect(await fixture.opens(waiting.code)).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: waiting.code, client_id: fixture.client.clientId };
    const answer = await fixture.unharmed(() => fixture.form('/oauth/token', refresh));
    await expectRefusedButKept(waiting, answer, ['invalid_grant']);
  });
});

describe('a code that was used', () => {
  it('takes its tokens along when it is replayed, and the record says so', async () => {
    const waiting = await fixture.code();
    const tokens = tokensOf(await fixture.client.redeem(waiting.redirect, waiting.asked));
    const replay = await redeem(waiting);
    expect(refusal(replay)).toEqual([400, 'invalid_grant']);
    expect([
      await fixture.opens(tokens.access_token),
      (await fixture.client.refresh(tokens.refresh_token)).status,
    ]).toEqual([401, 400]);
    const rows = await fixture.audit(replay);
    expect(rows.map(({ event }) => event).toSorted()).toEqual(['grant_revoked', 'token_reuse_detected']);
    for (const row of rows)
      expect(row).toMatchObject({ account_id: expect.any(String), credential_id: expect.any(String) });
  });

  it('takes nothing along when a stranger replays it', async () => {
    const waiting = await fixture.code();
    const { access_token: token } = tokensOf(await fixture.client.redeem(waiting.redirect, waiting.asked));
    const { clientId } = await fixture.register({ redirectUris: [CALLBACK] });
    const answer = await fixture.unharmed(() => redeem(waiting, { client_id: clientId }));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.opens(token)).toBe(200);
  });
});

describe('a code whose time is over', () => {
  it('after 60 seconds gives nothing, which is recorded', async () => {
    const waiting = await fixture.code();
    await fixture.app.rows(
      `UPDATE oauth_records SET expires_at = now() - interval '1 s',
         payload = payload || jsonb_build_object('exp', extract(epoch FROM now())::int - 1)
       WHERE kind = 'AuthorizationCode'`,
    );
    const answer = await fixture.unharmed(() => redeem(waiting));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('since its person has taken it back gives nothing', async () => {
    const waiting = await fixture.code();
    const [grant] = await fixture.app.rows<{ account_id: string }>(
      'SELECT account_id FROM oauth_grants ORDER BY created_at DESC LIMIT 1',
    );
    await fixture.app.get(OAuthGrants).revokeApp(grant?.account_id ?? '', fixture.client.clientId, 'spec');
    const answer = await fixture.unharmed(() => redeem(waiting));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
  });

  it('since its account was suspended gives nothing', async () => {
    const waiting = await fixture.code();
    await fixture.app.get(AccountsService).suspend(await fixture.app.accountOf(waiting.person));
    const answer = await fixture.fruitless(() => redeem(waiting));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });
});

describe('asking the token endpoint for more', () => {
  it('a scope that was not allowed is not in the token', async () => {
    const waiting = await fixture.code('read buyer', {}, { scopes: ['read'] });
    const answer = await redeem(waiting, { scope: 'read buyer worker agent-owner' });
    if (answer.status !== 200) return expect(refusal(answer)).toEqual([400, 'invalid_scope']);
    const { scope, access_token: token } = JSON.parse(answer.text);
    expect(scope).toBe('read');
    const write = await fixture.send('/v1/tasks/t/nodes/n/abandon-intents', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k', 'Content-Type': 'application/json' },
    });
    expect([write.status, JSON.parse(write.text).error.code]).toEqual([403, 'insufficient_scope']);
  });

  it.each([
    ['a foreign resource gives', ['https://evil.example']],
    ['a resource that begins like ours gives', ['OURS.evil.example']],
    ['two resources, one of them foreign, give', ['OURS', 'https://evil.example']],
  ])('%s no token', async (_, resources) => {
    const waiting = await fixture.code();
    const more = resources.map((each) => `&resource=${encodeURIComponent(each.replace('OURS', fixture.url))}`).join('');
    const answer = await fixture.fruitless(() => redeem(waiting, {}, more));
    expect([400, 'invalid_target']).toEqual(refusal(answer));
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it.each(['code', 'code_verifier', 'redirect_uri', 'client_id', 'grant_type'])(
    '%s given twice is refused',
    async (name) => {
      const waiting = await fixture.code();
      const answer = await fixture.unharmed(() => redeem(waiting, {}, `&${name}=other`));
      await expectRefusedButKept(waiting, answer, ['invalid_request']);
    },
  );

  it('a form in the address is not read', async () => {
    const waiting = await fixture.code();
    const query = new URLSearchParams(formOf(waiting)).toString();
    const answer = await fixture.unharmed(() => fixture.form(`/oauth/token?${query}`, {}));
    await expectRefusedButKept(waiting, answer, ['invalid_request']);
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'a body of %s is not read',
    async (type) => {
      const waiting = await fixture.code();
      const body =
        type === 'application/json' ? JSON.stringify(formOf(waiting)) : new URLSearchParams(formOf(waiting)).toString();
      const answer = await fixture.unharmed(() =>
        fixture.send('/oauth/token', { method: 'POST', body, headers: { 'Content-Type': type } }),
      );
      await expectRefusedButKept(waiting, answer, ['invalid_request']);
    },
  );
});

describe('an application with a secret', () => {
  const basic = (id: string, secret: string) => ({ Authorization: `Basic ${btoa(`${id}:${secret}`)}` });

  it.each<[string, (id: string, secret: string) => [Record<string, string>, Record<string, string>]]>([
    ['without its secret', (id) => [{ client_id: id }, {}]],
    ['with a wrong secret', (id) => [{}, basic(id, 'wrong')]],
    ['with an empty secret', (id) => [{}, basic(id, '')]],
    ['with its secret in both places', (id, secret) => [{ client_id: id, client_secret: secret }, basic(id, secret)]],
    [
      'with the name of another in the body',
      (id, secret) => [{ client_id: fixture.client.clientId }, basic(id, secret)],
    ],
    ['with an assertion without signature', (id) => [unsigned(id), {}]],
  ])('%s does not get the tokens of its code', async (_, prove) => {
    const { clientId, secret } = await fixture.register({ authMethod: 'client_secret_basic' });
    const asked = fixture.client.authorization('read', { client_id: clientId, redirect_uri: WEB_CALLBACK });
    const redirect = await fixture.person().authorize(asked.url);
    const form = {
      grant_type: 'authorization_code',
      code: redirect.searchParams.get('code') ?? '',
      redirect_uri: WEB_CALLBACK,
      code_verifier: asked.verifier,
    };
    const [members, headers] = prove(clientId, secret ?? '');
    const answer = await fixture.unharmed(() => fixture.form('/oauth/token', { ...form, ...members }, headers));
    expect([400, 401]).toContain(answer.status);
    expect(['invalid_client', 'invalid_request']).toContain(refusal(answer)[1]);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
    expect((await fixture.form('/oauth/token', form, basic(clientId, secret ?? ''))).status).toBe(200);
  });
});

function unsigned(clientId: string): Record<string, string> {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 60;
  const claims = { iss: clientId, sub: clientId, aud: fixture.url, jti: 'j', exp };
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${encoded({ alg: 'none' })}.${encoded(claims)}.`,
  };
}

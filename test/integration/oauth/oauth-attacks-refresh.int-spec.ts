import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { OAuthClients } from '../../../src/modules/oauth/storage/oauth-clients.js';
import { OAuthGrants } from '../../../src/modules/oauth/storage/oauth-grants.js';
import { AttackFixture, CALLBACK, refusal, WEB_CALLBACK } from './attack-fixture.js';
import { redirected } from '../../support/oauth/person.js';
import { tokensOf } from '../../support/oauth/connected-client.js';

let fixture: AttackFixture;

beforeAll(async () => {
  // No leeway, so that every reuse counts as a theft; other specs test the leeway.
  fixture = await AttackFixture.start({ environment: { oauthRefreshLeewaySeconds: 0 } });
});

afterAll(() => fixture?.close());

const refresh = (token: string, own: Readonly<Record<string, string>> = {}, more = '', headers = {}) => {
  const form = { grant_type: 'refresh_token', refresh_token: token, client_id: fixture.client.clientId, ...own };
  return fixture.form('/oauth/token', `${new URLSearchParams(form).toString()}${more}`, headers);
};

describe('a stolen refresh token', () => {
  it.each<[string, Readonly<Record<string, string>>, string, string[]]>([
    ['a wider scope', { scope: 'read buyer worker' }, '', ['invalid_scope']],
    ['a scope that there is not', { scope: 'read admin' }, '', ['invalid_scope']],
    ['openid, which was not allowed', { scope: 'read openid' }, '', ['invalid_scope']],
    ['a foreign resource', { resource: 'https://evil.example' }, '', ['invalid_target']],
    ['a resource that begins like ours', { resource: 'OURS.evil.example' }, '', ['invalid_target']],
    ['a second, foreign resource', { resource: 'OURS' }, '&resource=https://evil.example', ['invalid_target']],
    ['itself twice', {}, '&refresh_token=x', ['invalid_request']],
    ['the application twice', {}, '&client_id=x', ['invalid_request']],
    ['the scope twice', { scope: 'read' }, '&scope=worker', ['invalid_request']],
    ['an application that nobody knows', { client_id: 'nobody' }, '', ['invalid_client']],
    [
      'the name of another grant',
      { grant_type: 'authorization_code', code: 'x' },
      '',
      ['invalid_grant', 'invalid_request'],
    ],
    [
      'a grant that there is not',
      { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
      '',
      ['unsupported_grant_type'],
    ],
  ])('gives nothing with %s, and its owner keeps it', async (_, own, more, errors) => {
    const { refresh_token: token } = await fixture.tokens();
    const named = Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, value.replace('OURS', fixture.url)]),
    );
    const answer = await fixture.unharmed(() => refresh(token, named, more));
    expect([400, 401]).toContain(answer.status);
    expect(errors).toContain(refusal(answer)[1]);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
    expect((await refresh(token)).status).toBe(200);
  });

  it('gives nothing to another application, public or with a secret', async () => {
    const { refresh_token: token } = await fixture.tokens();
    const other = await fixture.register({ redirectUris: [CALLBACK] });
    const gateway = await fixture.register({ authMethod: 'client_secret_basic', isGateway: true });
    const basic = { Authorization: `Basic ${btoa(`${gateway.clientId}:${gateway.secret}`)}` };
    const answers = await fixture.unharmed(async () => [
      await refresh(token, { client_id: other.clientId }),
      await refresh(token, { client_id: gateway.clientId }, '', basic),
    ]);
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([400, 'invalid_grant']);
      expect(await fixture.events(answer)).toEqual(['token_refused']);
    }
    expect((await refresh(token)).status).toBe(200);
  });

  it('is no access token, and an access token refreshes nothing', async () => {
    const { access_token: access, refresh_token: token } = await fixture.tokens();
    expect(await fixture.opens(token)).toBe(401);
    const answer = await fixture.unharmed(() => refresh(access));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.opens(access)).toBe(200);
  });

  it('that is used after its owner ends everything that came of it, and the record says so', async () => {
    const { access_token: access, refresh_token: token } = await fixture.tokens();
    const next = JSON.parse((await refresh(token)).text);
    const theft = await refresh(token);
    expect(refusal(theft)).toEqual([400, 'invalid_grant']);
    expect((await fixture.events(theft)).toSorted()).toEqual(['grant_revoked', 'token_reuse_detected']);
    expect([await fixture.opens(access), await fixture.opens(next.access_token)]).toEqual([401, 401]);
    expect(refusal(await refresh(next.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('that is used before its owner is found out by the owner', async () => {
    const { refresh_token: token } = await fixture.tokens();
    const thief = JSON.parse((await refresh(token)).text);
    expect(await fixture.opens(thief.access_token)).toBe(200);
    const owner = await refresh(token);
    expect((await fixture.events(owner)).toSorted()).toEqual(['grant_revoked', 'token_reuse_detected']);
    expect(await fixture.opens(thief.access_token)).toBe(401);
  });

  it('does not get rid of what its person has held back: scope and cap stay', async () => {
    const { refresh_token: token } = await fixture.tokens('read buyer', { scopes: ['buyer'], fundingCap: '5' });
    const wide = await fixture.unharmed(() => refresh(token, { scope: 'read buyer' }));
    expect(refusal(wide)).toEqual([400, 'invalid_scope']);
    const next = JSON.parse((await refresh(token)).text);
    expect(next.scope).toBe('buyer');
    const [grant] = await fixture.app.rows<{ cap: string }>(
      'SELECT funding_cap::text AS cap FROM oauth_grants ORDER BY created_at DESC LIMIT 1',
    );
    expect([grant?.cap, await fixture.opens(next.access_token)]).toEqual(['5000000', 403]);
  });
});

describe('the spending limits of an application', () => {
  const policyOf = async (accessToken: string): Promise<Record<string, unknown> | undefined> => {
    const me = JSON.parse((await fixture.send('/v1/me', { headers: { Authorization: `Bearer ${accessToken}` } })).text);
    return me.credential.spend_policy;
  };
  const rows = (accountId: string) =>
    fixture.app.rows<{ id: string }>('SELECT id FROM spend_policies WHERE account_id = $1', [accountId]);

  it('stay when it refreshes its token, when it is revoked and when it is allowed again', async () => {
    const limits = { per_day: '100', total: '1000' };
    const { refresh_token: token, person, ...first } = await fixture.tokens('read buyer', { fundingCap: '5', limits });
    const allowed = {
      per_payment: { amount: '5.00' },
      per_day: { limit: { amount: '100.00' }, spent: { amount: '0.00' }, left: { amount: '100.00' } },
      total: { limit: { amount: '1000.00' }, refills_at: null },
    };
    expect(await policyOf(first.access_token)).toMatchObject(allowed);
    const next = JSON.parse((await refresh(token)).text);
    expect(await policyOf(next.access_token)).toMatchObject(allowed);
    const accountId = await fixture.app.accountOf(person);
    const before = await rows(accountId);
    await fixture.app.get(OAuthGrants).revokeApp(accountId, fixture.client.clientId, 'spec');
    const asked = fixture.client.authorization('read buyer');
    const page = await person.consentPage(asked.url);
    expect(page.text).toContain(
      'Until now it can ask you to pay at most 5.00 USDC per payment, 100.00 USDC a day (UTC)',
    );
    const again = tokensOf(await fixture.client.redeem(redirected(await person.allow(page)), asked));
    expect(await policyOf(again.access_token)).toMatchObject(allowed);
    expect(await rows(accountId)).toEqual(before);
  });

  it('hold and come back filled in also where they are a cap alone', async () => {
    const { person, access_token: token } = await fixture.tokens('read buyer', { fundingCap: '5' });
    expect(await policyOf(token)).toEqual({ per_payment: { amount: '5.00', currency: 'USDC' } });
    const asked = fixture.client.authorization('read buyer');
    const page = await person.consentPage(asked.url);
    expect(page.text).toContain('Until now it can ask you to pay at most 5.00 USDC per payment.');
    const again = tokensOf(await fixture.client.redeem(redirected(await person.allow(page)), asked));
    expect(await policyOf(again.access_token)).toMatchObject({ per_payment: { amount: '5.00' } });
  });

  it('come back filled in from a cap of before there were policies', async () => {
    const { person } = await fixture.tokens('read buyer', { fundingCap: '5' });
    await fixture.app.rows('DELETE FROM spend_policies WHERE account_id = $1', [await fixture.app.accountOf(person)]);
    const page = await person.consentPage(fixture.client.authorization('read buyer').url);
    expect(page.text).toContain('Until now it can ask you to pay at most 5.00 USDC per payment.');
    expect(page.form('/consent').fields).toContainEqual(
      expect.objectContaining({ name: 'funding_cap', value: '5.00' }),
    );
  });

  it('change for all its tokens at a consent, and are nobody else\u2019s', async () => {
    const { person, access_token: old } = await fixture.tokens('read buyer', { limits: { per_day: '100' } });
    const asked = fixture.client.authorization('read buyer');
    const consent = { limits: { per_day: '7' } };
    await fixture.client.redeem(await person.authorize(asked.url, consent), asked);
    expect(await policyOf(old)).toMatchObject({ per_day: { limit: { amount: '7.00' } } });
    const { access_token: other } = await fixture.tokens('read buyer');
    expect(await policyOf(other)).toBeUndefined();
  });
});

describe('a refresh token that is over', () => {
  it('since the application revoked it gives nothing, which is recorded', async () => {
    const { refresh_token: token } = await fixture.tokens();
    await fixture.client.revoke(token);
    const answer = await fixture.unharmed(() => refresh(token));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('since its person took it back gives nothing, which is recorded', async () => {
    const { refresh_token: token, person } = await fixture.tokens();
    const accountId = await fixture.app.accountOf(person);
    await fixture.app.get(OAuthGrants).revokeApp(accountId, fixture.client.clientId, 'spec');
    const answer = await fixture.unharmed(() => refresh(token));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('since its account was suspended gives nothing, which is recorded', async () => {
    const { refresh_token: token, person } = await fixture.tokens();
    await fixture.app.get(AccountsService).suspend(await fixture.app.accountOf(person));
    const answer = await fixture.fruitless(() => refresh(token));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('by its time gives nothing, which is recorded', async () => {
    const { refresh_token: token } = await fixture.tokens();
    await fixture.app.rows(
      `UPDATE oauth_records SET expires_at = now() - interval '1 s',
         payload = payload || jsonb_build_object('exp', extract(epoch FROM now())::int - 1)
       WHERE kind = 'RefreshToken'`,
    );
    const answer = await fixture.unharmed(() => refresh(token));
    expect(refusal(answer)).toEqual([400, 'invalid_grant']);
    expect(await fixture.events(answer)).toEqual(['token_refused']);
  });

  it('since its application was removed gives nothing', async () => {
    const { clientId } = await fixture.register();
    const asked = fixture.client.authorization('read', { client_id: clientId, redirect_uri: WEB_CALLBACK });
    const redirect = await fixture.person().authorize(asked.url);
    const own = { client_id: clientId, redirect_uri: WEB_CALLBACK };
    const { access_token: access, refresh_token: token } = tokensOf(await fixture.client.redeem(redirect, asked, own));
    await fixture.app.get(OAuthClients).remove(clientId, null);
    const answer = await fixture.unharmed(() => refresh(token, { client_id: clientId }));
    expect(refusal(answer)).toEqual([401, 'invalid_client']);
    expect(await fixture.opens(access)).toBe(401);
  });
});

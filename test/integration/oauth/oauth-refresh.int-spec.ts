import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { OAuthGrants } from '../../../src/modules/oauth/storage/oauth-grants.js';
import { ListeningService } from '../../support/listening-service.js';
import { answersWithoutPages, OAuthDriver, type TokenAnswer } from './oauth-driver.js';
import { raced } from './raced-records.js';

const services = new Map<number, ListeningService>();

beforeAll(async () => {
  for (const oauthRefreshLeewaySeconds of [0, 30]) {
    const environment = { oauthRefreshLeewaySeconds };
    services.set(
      oauthRefreshLeewaySeconds,
      await ListeningService.listen({ prepare: answersWithoutPages, environment }),
    );
  }
});

afterAll(async () => {
  for (const service of services.values()) await service.close();
});

function serviceWith(leeway: number): ListeningService {
  const service = services.get(leeway);
  if (!service) throw new Error(`No service with a leeway of ${leeway}`);
  return service;
}

/** A connected application with its first tokens. */
async function connected(leeway: number): Promise<{ driver: OAuthDriver; access: string; refresh: string }> {
  const service = serviceWith(leeway);
  const { client_id: clientId } = await OAuthDriver.register(service);
  const driver = new OAuthDriver(service, clientId, (await service.account('Ada')).id);
  const { body } = await driver.exchange(await driver.code());
  return { driver, access: body.access_token, refresh: body.refresh_token };
}

function race(driver: OAuthDriver, token: string, count: number): Promise<TokenAnswer[]> {
  const record = { kind: 'RefreshToken', accountId: driver.accountId };
  return raced(driver.service, record, count, () => driver.refresh(token));
}

const lives = async (driver: OAuthDriver, token: string) => (await driver.refresh(token)).status === 200;

describe('without leeway', () => {
  it.each([10, 50])('of %d requests that race for a refresh token one gets tokens, which work on', async (count) => {
    const { driver, refresh } = await connected(0);
    const answers = await race(driver, refresh, count);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.error}`))).toEqual(new Set(['400 invalid_grant']));
    const [winner] = won;
    expect(await driver.opens(winner?.body.access_token)).toBe(200);
    expect(await lives(driver, winner?.body.refresh_token)).toBe(true);
  });

  it('a token that comes a second time ends everything that came of it', async () => {
    const { driver, access, refresh } = await connected(0);
    const { body } = await driver.refresh(refresh);
    expect((await driver.refresh(refresh)).body.error).toBe('invalid_grant');
    expect(await lives(driver, body.refresh_token)).toBe(false);
    expect([await driver.opens(access), await driver.opens(body.access_token)]).toEqual([401, 401]);
    const [row] = await driver.service.rows<{ event: string }>(
      "SELECT event FROM audit_events WHERE account_id = $1 AND event = 'token_reuse_detected'",
      [driver.accountId],
    );
    expect(row).toBeDefined();
    expect(await driver.service.get(OAuthGrants).list(driver.accountId)).toEqual([]);
  });
});

describe('with 30 seconds of leeway', () => {
  it.each([10, 50])('all of %d concurrent requests of a hosted application get tokens', async (count) => {
    const { driver, refresh } = await connected(30);
    const answers = await race(driver, refresh, count);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 200));
    // The application keeps the answer that it stored last, which may be any of them.
    const kept = answers[Math.floor(count / 2)];
    expect(await driver.opens(kept?.body.access_token)).toBe(200);
    expect(await lives(driver, kept?.body.refresh_token)).toBe(true);
  });

  it('an answer that was lost on its way can be asked for again', async () => {
    const { driver, refresh } = await connected(30);
    await driver.refresh(refresh);
    const { status, body } = await driver.refresh(refresh);
    expect([status, await driver.opens(body.access_token)]).toEqual([200, 200]);
    expect(await lives(driver, body.refresh_token)).toBe(true);
  });

  it('once what followed was used, the old token ends everything', async () => {
    const { driver, refresh } = await connected(30);
    const first = await driver.refresh(refresh);
    const second = await driver.refresh(first.body.refresh_token);
    expect((await driver.refresh(refresh)).body.error).toBe('invalid_grant');
    expect(await lives(driver, second.body.refresh_token)).toBe(false);
    expect(await driver.opens(second.body.access_token)).toBe(401);
  });

  it('a twin that a thief got by retrying ends everything once the owner has gone on', async () => {
    const { driver, refresh } = await connected(30);
    const owner = await driver.refresh(refresh);
    const thief = await driver.refresh(refresh);
    const next = await driver.refresh(owner.body.refresh_token);
    const after = await driver.refresh(next.body.refresh_token);
    expect((await driver.refresh(thief.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await lives(driver, after.body.refresh_token)).toBe(false);
  });

  it('ends after those seconds, however often it was used in between', async () => {
    const { driver, refresh } = await connected(30);
    await driver.refresh(refresh);
    await driver.service.rows(
      `UPDATE oauth_records SET consumed_at = consumed_at - interval '20 seconds'
       WHERE kind = 'RefreshToken' AND payload->>'accountId' = $1`,
      [driver.accountId],
    );
    const { body } = await driver.refresh(refresh);
    await driver.service.rows(
      `UPDATE oauth_records SET consumed_at = consumed_at - interval '11 seconds'
       WHERE kind = 'RefreshToken' AND payload->>'accountId' = $1`,
      [driver.accountId],
    );
    expect((await driver.refresh(refresh)).body.error).toBe('invalid_grant');
    expect(await lives(driver, body.refresh_token)).toBe(false);
  });
});

describe('a refresh token', () => {
  it('does not outlive the account', async () => {
    const { driver, access, refresh } = await connected(0);
    await driver.service.get(AccountsService).suspend(driver.accountId);
    expect((await driver.refresh(refresh)).body.error).toBe('invalid_grant');
    expect(await driver.opens(access)).toBe(403);
  });

  it('is refused to another application, and stays good', async () => {
    const { driver, refresh } = await connected(0);
    const { client_id: other } = await OAuthDriver.register(driver.service);
    expect((await driver.refresh(refresh, { client_id: other })).body.error).toBe('invalid_grant');
    expect(await lives(driver, refresh)).toBe(true);
  });

  it('cannot be widened, and can be narrowed', async () => {
    const { driver, refresh } = await connected(0);
    expect((await driver.refresh(refresh, { scope: 'read worker' })).body.error).toBe('invalid_scope');
    const { body } = await driver.refresh(refresh, { scope: 'read' });
    expect(body.scope).toBe('read');
  });

  it('that the application revokes ends the connection, also what it has been given before', async () => {
    const { driver, access, refresh } = await connected(0);
    expect((await driver.post('/oauth/revoke', { client_id: driver.clientId, token: refresh })).status).toBe(200);
    expect([await driver.opens(access), await lives(driver, refresh)]).toEqual([401, false]);
    expect(await driver.service.get(OAuthGrants).list(driver.accountId)).toEqual([]);
  });

  it('of another application is not revoked, and nothing is said of it', async () => {
    const { driver, access, refresh } = await connected(0);
    const { client_id: other } = await OAuthDriver.register(driver.service);
    for (const token of [access, refresh]) {
      expect((await driver.post('/oauth/revoke', { client_id: other, token })).status).toBe(200);
    }
    expect([await driver.opens(access), await lives(driver, refresh)]).toEqual([200, true]);
  });

  it('ends with the connection that its person takes back', async () => {
    const { driver, access, refresh } = await connected(0);
    const grants = driver.service.get(OAuthGrants);
    const [app] = await grants.list(driver.accountId);
    expect(app).toMatchObject({ clientId: driver.clientId, clientName: 'Spec', clientHost: null, fundingCap: null });
    expect(app?.scopes).toEqual(['read', 'buyer']);
    await grants.revokeApp(driver.accountId, driver.clientId, 'a-request');
    expect([await driver.opens(access), await lives(driver, refresh)]).toEqual([401, false]);
    expect(await grants.list(driver.accountId)).toEqual([]);
    const left = await driver.service.rows(
      `SELECT kind FROM oauth_records WHERE kind IN ('Grant', 'AccessToken', 'RefreshToken', 'AuthorizationCode')
         AND payload->>'accountId' = $1`,
      [driver.accountId],
    );
    expect(left).toEqual([]);
  });
});

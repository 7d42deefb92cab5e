import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { OAuthGrants } from '../../../src/modules/oauth/storage/oauth-grants.js';
import { BrowserSessions } from '../../../src/modules/accounts/sessions/browser-sessions.js';
import { ListeningService } from '../../support/listening-service.js';
import { answersWithoutPages, OAuthDriver, REDIRECT } from './oauth-driver.js';

let service: ListeningService;
let clientId: string;

beforeAll(async () => {
  service = await ListeningService.listen({ prepare: answersWithoutPages });
  ({ client_id: clientId } = await OAuthDriver.register(service, { client_name: `A  <b>${'x'.repeat(70)}` }));
});

afterAll(() => service?.close());

async function person(): Promise<OAuthDriver> {
  return new OAuthDriver(service, clientId, (await service.account('Ada')).id);
}

/** Goes to the consent page. @returns its path. */
async function atConsent(driver: OAuthDriver, params: Record<string, string | undefined> = {}): Promise<string> {
  const login = await driver.begin(params);
  await driver.visit(`${login}?as=${driver.accountId}`);
  await driver.visit(driver.location);
  return driver.location;
}

const look = async (driver: OAuthDriver, path: string): Promise<any> => (await driver.visit(`${path}?do=look`)).json();

/** The parameters with which the browser returned to the application. */
function returned(driver: OAuthDriver): Record<string, string> {
  expect(driver.location.startsWith(REDIRECT)).toBe(true);
  return Object.fromEntries(new URL(driver.location).searchParams);
}

describe('what the pages are told', () => {
  it('names the application in one safe line, what it asks, and where it leads', async () => {
    const driver = await person();
    const pending = await look(driver, await driver.begin({ scope: 'worker read nonsense offline_access' }));
    expect(pending).toMatchObject({
      prompt: 'login',
      mustSignInAgain: false,
      scopes: ['read', 'worker'],
      accountId: null,
      grantDays: 90,
      client: { id: clientId, host: null, redirectHost: '127.0.0.1', redirectsToLoopback: true },
    });
    expect(pending.client.name).toMatch(/^A <b>x+$/);
    const consent = await look(driver, await atConsent(driver));
    expect(consent).toMatchObject({ prompt: 'consent', accountId: driver.accountId });
  });

  it('is nothing in another browser, without its cookie, or once it is over', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    const other = await person();
    expect((await other.visit(`${path}?do=look`)).status).toBe(404);
    await driver.visit(path);
    await driver.visit(driver.location);
    expect(returned(driver)).toHaveProperty('code');
    expect((await driver.visit(`${path}?do=look`)).status).toBe(404);
  });

  it.each([{ prompt: 'login' }, { max_age: '3600', scope: 'openid read' }])(
    'asks for a new signature where the application wants one: %j',
    async (params) => {
      const driver = await person();
      await driver.code();
      const path = await driver.begin(params);
      const pending = await look(driver, path);
      if (pending.prompt === 'login') expect(pending.mustSignInAgain).toBe(true);
      else expect(params).not.toHaveProperty('prompt');
    },
  );
});

describe('who is signed in', () => {
  it('is asked for consent again each time, and not for a signature', async () => {
    const driver = await person();
    await driver.code();
    expect(await look(driver, await driver.begin())).toMatchObject({ prompt: 'consent', accountId: driver.accountId });
  });

  it('is nobody once our own session of the browser has ended', async () => {
    const driver = await person();
    await driver.code();
    const sessions = service.get(BrowserSessions);
    const [session] = await sessions.list(driver.accountId);
    await sessions.end(driver.accountId, session?.id ?? '', 'spec');
    expect(await look(driver, await driver.begin())).toMatchObject({ prompt: 'login', mustSignInAgain: false });
    await driver.visit(driver.authorizeUrl({ prompt: 'none' }));
    expect(returned(driver)).toMatchObject({ error: 'login_required' });
  });

  it('can be changed on the consent page: the other account is asked then, and answers', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    const other = await service.account('Grace');
    await driver.visit(`${path}?do=switch&as=${other.id}`);
    await driver.visit(driver.location);
    expect(driver.location).toContain('/oauth/interaction/');
    expect(await look(driver, driver.location)).toMatchObject({ prompt: 'consent', accountId: other.id });
    await driver.visit(driver.location === '' ? path : new URL(driver.location, service.url).pathname);
  });

  it('after a change on another tab, the page of the former account allows nothing', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    const other = await service.account('Grace');
    const second = await driver.begin();
    await driver.visit(`${second}?do=switch&as=${other.id}`);
    const answer = await driver.visit(path);
    expect([404, 409]).toContain(answer.status);
    expect(await service.get(OAuthGrants).list(driver.accountId)).toEqual([]);
    expect(await service.get(OAuthGrants).list(other.id)).toEqual([]);
  });

  it('is nobody after a suspension: nothing more is allowed in this browser', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    await service.get(AccountsService).suspend(driver.accountId);
    expect((await driver.visit(path)).status).toBe(409);
  });
});

describe('an answer', () => {
  it('can be less than was asked; tokens then hold no more, and a later request asks again', async () => {
    const driver = await person();
    const params = { scope: 'read buyer worker openid' };
    const { body } = await driver.exchange(await driver.code({ params, allow: ['read'], cap: 5_000_000n }));
    expect(body.scope).toBe('read');
    const [app] = await service.get(OAuthGrants).list(driver.accountId);
    expect([app?.scopes, app?.fundingCap]).toEqual([['read'], 5_000_000n]);
    expect((await driver.refresh(body.refresh_token)).body.scope).toBe('read');
  });

  it('can not be more than was asked', async () => {
    const driver = await person();
    const path = await atConsent(driver, { scope: 'read' });
    expect((await driver.visit(`${path}?scope=worker`)).status).toBe(400);
    expect(await service.get(OAuthGrants).list(driver.accountId)).toEqual([]);
    await driver.visit(path);
    await driver.visit(driver.location);
    expect(returned(driver)).toHaveProperty('code');
  });

  it('pressed twice at once is one answer', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    const answers = await Promise.all([driver.visit(path), driver.visit(path), driver.visit(path)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const grants = await service.rows('SELECT 1 FROM oauth_grants WHERE account_id = $1', [driver.accountId]);
    expect(grants).toHaveLength(1);
    await driver.visit(driver.location);
    expect((await driver.exchange(returned(driver)['code'] ?? '')).status).toBe(200);
  });

  it('that is resumed twice at once makes one code', async () => {
    const driver = await person();
    await driver.visit(await atConsent(driver));
    const resume = driver.location;
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => (await driver.visit(resume)).headers.get('location') ?? ''),
    );
    expect(answers.filter((to) => to.includes('code='))).toHaveLength(1);
  });

  it('can be no: the application learns it, and nothing is left behind', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    await driver.visit(`${path}?do=cancel`);
    await driver.visit(driver.location);
    expect(returned(driver)).toMatchObject({ error: 'access_denied', state: 's-1', iss: service.url });
    const rows = await service.rows("SELECT 1 FROM oauth_records WHERE kind = 'Grant' AND payload->>'accountId' = $1", [
      driver.accountId,
    ]);
    expect(rows).toEqual([]);
  });

  it('no pressed after yes, but before the browser went on, is no', async () => {
    const driver = await person();
    const path = await atConsent(driver);
    await driver.visit(path);
    await driver.visit(`${path}?do=cancel`);
    await driver.visit(driver.location);
    expect(returned(driver)).toMatchObject({ error: 'access_denied' });
    expect(await service.get(OAuthGrants).list(driver.accountId)).toEqual([]);
  });

  it('is written with its audit row', async () => {
    const driver = await person();
    await driver.code({ allow: ['read'], cap: 7n });
    const [row] = await service.rows<{ detail: unknown; client_id: string }>(
      "SELECT detail, client_id FROM audit_events WHERE account_id = $1 AND event = 'consent_given'",
      [driver.accountId],
    );
    const limits = { per_payment: '0.000007', per_day: null, total: null, counterparties: null };
    expect(row).toEqual({ detail: { scopes: ['read'], funding_cap: '7', limits }, client_id: clientId });
  });
});

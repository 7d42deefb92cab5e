import {
  type Answer,
  AttackFixture,
  CALLBACK,
  expectPage,
  refusal,
  toldClient,
  WEB_CALLBACK,
} from './attack-fixture.js';

let fixture: AttackFixture;
/** Two applications on the web, registered by the operator: a public one, and one with a secret. */
let web: string;
let confidential: string;

beforeAll(async () => {
  fixture = await AttackFixture.start();
  web = (await fixture.register()).clientId;
  confidential = (
    await fixture.register({ authMethod: 'client_secret_basic', redirectUris: [WEB_CALLBACK, 'http://127.0.0.1:5/cb'] })
  ).clientId;
});

afterAll(() => fixture?.close());

function ask(clientId: string, redirectUri: string | null, own: Record<string, string> = {}): Promise<Answer> {
  const { url } = fixture.client.authorization('read', { ...own, client_id: clientId, redirect_uri: redirectUri });
  return fixture.send(url, { headers: { Accept: 'text/html' } });
}

/** Expects an error page and an audit event; the person is neither redirected nor asked. */
async function expectRefused(answer: Answer, clientId: string): Promise<void> {
  expectPage(answer, 400);
  expect(answer.text).toContain('an address that it has not registered');
  expect(await fixture.audit(answer)).toEqual([
    expect.objectContaining({
      event: 'authorization_refused',
      client_id: clientId,
      detail: expect.objectContaining({ error: 'invalid_redirect_uri' }),
    }),
  ]);
}

const VARIATIONS: [string, string][] = [
  ['an extra path', `${WEB_CALLBACK}/more`],
  ['an encoded extra path', `${WEB_CALLBACK}%2Fmore`],
  ['a shorter path', 'https://app.example/'],
  ['another path', 'https://app.example/other'],
  ['dot segments', 'https://app.example/x/../cb'],
  ['encoded dot segments', 'https://app.example/x/%2e%2e/cb'],
  ['a query', `${WEB_CALLBACK}?next=https://evil.example`],
  ['an empty query', `${WEB_CALLBACK}?`],
  ['a fragment', `${WEB_CALLBACK}#evil`],
  ['an empty fragment', `${WEB_CALLBACK}#`],
  ['another case of the host', 'https://APP.example/cb'],
  ['another case of the path', 'https://app.example/CB'],
  ['another case of the scheme', 'HTTPS://app.example/cb'],
  ['a slash at its end', `${WEB_CALLBACK}/`],
  ['two slashes', 'https://app.example//cb'],
  ['the default port', 'https://app.example:443/cb'],
  ['another port', 'https://app.example:8443/cb'],
  ['a dot after the host', 'https://app.example./cb'],
  ['a user', 'https://app.example@evil.example/cb'],
  ['a user of the right host', 'https://evil@app.example/cb'],
  ['a user and a password', 'https://app.example:cb@evil.example/cb'],
  ['a backslash', 'https://evil.example\\@app.example/cb'],
  ['a host below', 'https://evil.app.example/cb'],
  ['a host that ends alike', 'https://evilapp.example/cb'],
  ['a host that begins alike', 'https://app.example.evil.example/cb'],
  ['http', 'http://app.example/cb'],
  ['javascript', 'javascript:alert(document.domain)//app.example/cb'],
  ['data', 'data:text/html,<script>evil()</script>'],
  ['a blob', 'blob:https://app.example/cb'],
  ['a file', 'file:///etc/passwd'],
  ['a scheme of its own', 'evil://app.example/cb'],
  ['no scheme', '//app.example/cb'],
  ['a path alone', '/cb'],
  ['a wildcard', 'https://app.example/*'],
  ['a blank in front', ` ${WEB_CALLBACK}`],
  ['a line feed', `${WEB_CALLBACK}\n`],
  ['a header', `${WEB_CALLBACK}\r\nSet-Cookie: evil=1`],
  ['a NUL', `${WEB_CALLBACK}\u0000`],
  ['a letter that looks alike', 'https://аpp.example/cb'],
  ['two addresses', `${WEB_CALLBACK} https://evil.example/cb`],
  ['this service itself', 'https://app.example/cb/../../oauth/authorize'],
];

describe('an application on the web', () => {
  it.each(VARIATIONS)('is not redirected to with %s', async (_, uri) => {
    const answer = await fixture.unharmed(() => ask(web, uri));
    await expectRefused(answer, web);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each(VARIATIONS)('is not pushed for with %s', async (_, uri) => {
    const { url } = fixture.client.authorization('read', { client_id: web, redirect_uri: uri });
    const answer = await fixture.unharmed(() => fixture.form('/oauth/par', url.search.slice(1)));
    const [status, error] = refusal(answer);
    expect(status).toBe(400);
    expect(['invalid_request', 'invalid_redirect_uri']).toContain(error);
    expect(answer.text).not.toMatch(/evil|request_uri"/);
    expect(await fixture.events(answer)).toEqual(['authorization_refused']);
  });

  it('is asked to say where, although it has one address only', async () => {
    for (const uri of [null, '']) {
      const answer = await fixture.unharmed(() => ask(web, uri));
      expectPage(answer, 400);
      expect(await fixture.events(answer)).toEqual(['authorization_refused']);
    }
  });

  it('is not sent an error either, whatever else is wrong with the request', async () => {
    const faults: [string, string][] = [
      ['response_type', 'token'],
      ['prompt', 'none'],
      ['scope', 'x'],
      ['resource', 'https://x.example'],
    ];
    for (const [name, value] of faults) {
      const answer = await fixture.unharmed(() => ask(web, 'https://evil.example/cb', { [name]: value }));
      expectPage(answer, 400);
      expect(await fixture.events(answer)).toContain('authorization_refused');
    }
  });

  it('of one application is not that of another', async () => {
    await expectRefused(await fixture.unharmed(() => ask(web, CALLBACK)), web);
    await expectRefused(
      await fixture.unharmed(() => ask(fixture.client.clientId, WEB_CALLBACK)),
      fixture.client.clientId,
    );
  });
});

describe('an application on the person’s own machine', () => {
  it.each([
    ['another name of loopback', CALLBACK.replace('127.0.0.1', 'localhost')],
    ['IPv6 loopback', CALLBACK.replace('127.0.0.1', '[::1]')],
    ['another loopback address', CALLBACK.replace('127.0.0.1', '127.0.0.2')],
    ['all interfaces', CALLBACK.replace('127.0.0.1', '0.0.0.0')],
    ['a decimal address', CALLBACK.replace('127.0.0.1', '2130706433')],
    ['a name that begins alike', CALLBACK.replace('127.0.0.1', '127.0.0.1.evil.example')],
    ['a user', CALLBACK.replace('127.0.0.1:61234', '127.0.0.1:61234@evil.example')],
    ['an empty port and a user', CALLBACK.replace('127.0.0.1:61234', '127.0.0.1:@evil.example')],
    ['no port that there is', CALLBACK.replace('61234', '99999')],
    ['https', CALLBACK.replace('http:', 'https:')],
    ['another path', `${CALLBACK}/more`],
    ['a query', `${CALLBACK}?a=b`],
    ['a fragment', `${CALLBACK}#x`],
  ])('is not redirected to with %s', async (_, uri) => {
    await expectRefused(await fixture.unharmed(() => ask(fixture.client.clientId, uri)), fixture.client.clientId);
  });

  it('may have another port; the code is then for that port alone', async () => {
    const other = CALLBACK.replace('61234', '61235');
    const asked = fixture.client.authorization('read', { redirect_uri: other });
    const redirect = await fixture.person().authorize(asked.url);
    expect(redirect.href.startsWith(other)).toBe(true);
    const answer = await fixture.unharmed(() => fixture.client.redeem(redirect, asked));
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    expect((await fixture.client.redeem(redirect, asked, { redirect_uri: other })).status).toBe(200);
  });

  it('that is on the web as well, with a secret, may not have another port', async () => {
    await expectRefused(await fixture.unharmed(() => ask(confidential, 'http://127.0.0.1:6/cb')), confidential);
  });
});

describe('the way through the pages', () => {
  it('is by 303 at every step, so that no form is ever sent on', async () => {
    const person = fixture.person();
    const asked = fixture.client.authorization('read');
    const consent = await person.consentPage(asked.url);
    const trail: number[] = person.trail.map(({ status }) => status);
    expect(new Set(trail)).toEqual(new Set([200, 303]));
    const form = consent.form('/consent');
    const body = new URLSearchParams(form.fields.map(({ name, value }): [string, string] => [name, value]));
    const headers = { Origin: fixture.url };
    const allowed = await person.request(form.action, { method: 'POST', body, headers });
    expect(allowed.status).toBe(303);
    const resumed = await person.request(allowed.headers.get('Location') ?? '');
    expect([resumed.status, resumed.headers.get('Location')?.startsWith(`${CALLBACK}?code=`)]).toEqual([303, true]);
  });

  it('ends where the request said, whatever the pages are asked to add', async () => {
    const person = fixture.person();
    const consent = await person.consentPage(fixture.client.authorization('read').url);
    const form = consent.form('/consent');
    const evil = 'https://evil.example/cb';
    form.action.search = new URLSearchParams({ redirect_uri: evil, returnTo: evil, next: evil }).toString();
    const { redirect } = await person.submit(consent, form, { redirect_uri: evil, return_to: evil, next: evil });
    expect(redirect?.href.startsWith(`${CALLBACK}?code=`)).toBe(true);
  });

  it('from the account pages leads to no address of a request', async () => {
    const person = fixture.person();
    const evil = 'https://evil.example/';
    const query = new URLSearchParams({ next: evil, redirect_uri: evil, return_to: '//evil.example' }).toString();
    const { page } = await person.open(`/account/sign-in?${query}`);
    expect(page?.html).not.toContain('evil');
    if (!page) throw new Error('No page');
    const arrived = await person.signIn(page);
    expect([arrived.redirect, arrived.page?.url.pathname]).toEqual([null, '/account']);
    const away = await fixture.send(`/account?${query}`);
    expect([away.status, away.location?.href]).toEqual([303, `${fixture.url}/account/sign-in`]);
  });

  it.each([
    '/oauth/interaction//evil.example',
    '/oauth/interaction/%2f%2fevil.example/consent',
    '//evil.example/oauth',
  ])('%s leads nowhere else', async (path) => {
    const { port } = new URL(fixture.url);
    const answer = await fixture.send(`http://127.0.0.1:${port}${path}`);
    if (answer.location !== null) expect(answer.location.origin).toBe(fixture.url);
    else expect(answer.status).toBe(404);
  });

  it('an error goes to the application only after its address was found to be registered', async () => {
    const good = await fixture.unharmed(() => ask(web, WEB_CALLBACK, { prompt: 'none' }));
    expect(toldClient(good, WEB_CALLBACK)?.get('error')).toBe('login_required');
  });
});

import { createHash } from 'node:crypto';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { BrowserSessions } from '../../../src/modules/accounts/sessions/browser-sessions.js';
import { type HtmlPage } from '../../support/oauth/html-page.js';
import { ListeningService } from '../../support/listening-service.js';
import { type Authorization, PlainClient } from '../../support/oauth/oauth-client.js';
import { Person, redirected, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

const REDIRECT = 'http://127.0.0.1:61234/callback';

interface AuditRow {
  event: string;
  account_id: string | null;
  client_id: string | null;
  request_id: string | null;
  detail: { reason?: string };
}

let app: ListeningService;
let client: PlainClient;

beforeAll(async () => {
  app = await ListeningService.listen();
  client = await PlainClient.register(app.url, REDIRECT, { client_name: 'Helper' });
});

afterAll(() => app.close());

function person(wallet = randomWallet()): Person {
  return new Person(app.url, wallet);
}

function ask(scope = 'read buyer', own: Readonly<Record<string, string>> = {}): Authorization {
  return client.authorization(scope, own);
}

async function signInPage(somebody: Person, own: Readonly<Record<string, string>> = {}): Promise<HtmlPage> {
  return shown(await somebody.open(ask('read buyer', own).url));
}

function uidOf(page: HtmlPage): string {
  return /\/oauth\/interaction\/([^/]+)/.exec(page.url.pathname)?.[1] ?? '';
}

/** The text of a page without spaces, because addresses are shown in groups. */
function joined({ text }: HtmlPage): string {
  return text.replaceAll(' ', '');
}

function tokenOf(page: HtmlPage, ending: string): string {
  return page.form(ending).fields.find(({ name }) => name === 'form_token')?.value ?? '';
}

/** Sends a POST as a browser does. @returns the answer, without following redirects. */
function post(somebody: Person, path: string, members: [string, string][], headers: Record<string, string> = {}) {
  return somebody.request(`${app.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(members),
    headers: { Origin: app.url, ...headers },
  });
}

function grants(accountId?: string) {
  return app.rows<{ scopes: string[]; funding_cap: string | null; client_name: string }>(
    'SELECT * FROM oauth_grants WHERE account_id = COALESCE($1, account_id) ORDER BY created_at',
    [accountId ?? null],
  );
}

/** The newest audit event of this kind. */
async function lastAudit(event: string): Promise<AuditRow | undefined> {
  const rows = await app.rows<AuditRow>('SELECT * FROM audit_events WHERE event = $1 ORDER BY id DESC LIMIT 1', [
    event,
  ]);
  return rows[0];
}

describe('signing in and allowing, without a script', () => {
  it('leads from the application over the message and the consent back to it', async () => {
    const ada = person();
    const signIn = await signInPage(ada);
    expect(signIn.status).toBe(200);
    expect(signIn.text).toContain('Helper');
    expect(signIn.text).toContain('unverified name');
    const message = await ada.challenge(signIn);
    expect(message.message).toContain(`Request ID: ${uidOf(signIn)}`);
    const consent = shown(await ada.answer(message, await ada.sign(message.message)));
    expect(joined(consent)).toContain(ada.wallet.address);
    expect(consent.text).toContain('a program on this computer');
    const back = redirected(await ada.allow(consent, { scopes: ['read'], fundingCap: '250' }));
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1:61234\/callback\?code=/);
    expect(await grants(await app.accountOf(ada))).toEqual([
      expect.objectContaining({ scopes: ['read'], funding_cap: '250000000', client_name: 'Helper' }),
    ]);
  });

  it('sends every page with a policy that lets the form end at the application, and nothing else out', async () => {
    const ada = person();
    const signIn = await signInPage(ada);
    const consent = shown(await ada.signIn(signIn));
    for (const { headers } of [signIn, consent]) {
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).not.toContain('form-action');
      expect(policy).not.toContain('unsafe');
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "trusted-types 'none'"]) {
        expect(policy).toContain(rule);
      }
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin-allow-popups');
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
      // With no-referrer, browsers would send `Origin: null` with the form.
      expect(headers.get('Referrer-Policy')).toBe('same-origin');
      expect(headers.get('Service-Version')).toMatch(/^\d{4}-/);
    }
  });

  it('goes straight to the consent when this browser is signed in, and asks for it every time', async () => {
    const ada = person();
    await ada.authorize(ask().url);
    const again = shown(await ada.open(ask().url));
    expect(again.has('/consent')).toBe(true);
  });

  it('asks for a new signature when the application wants one', async () => {
    const ada = person();
    await ada.authorize(ask().url);
    const again = await signInPage(ada, { prompt: 'login' });
    expect(again.has('/challenge')).toBe(true);
    const consent = shown(await ada.signIn(again));
    expect(consent.has('/consent')).toBe(true);
  });

  it('lets another wallet be taken on the consent page', async () => {
    const ada = person();
    const consent = await ada.consentPage(ask().url);
    const other = new Person(app.url, randomWallet(), ada.jar);
    const signIn = shown(await other.open(`${consent.url.href}?wallet=other`));
    expect(signIn.text).toContain('Continue with this wallet');
    const theirs = shown(await other.signIn(signIn));
    expect(joined(theirs)).toContain(other.wallet.address);
    expect(joined(theirs)).not.toContain(ada.wallet.address);
    redirected(await other.allow(theirs));
    expect(await grants(await app.accountOf(other))).toHaveLength(1);
    expect(await grants(await app.accountOf(ada))).toHaveLength(0);
    const sessions = await app.get(BrowserSessions).list(await app.accountOf(ada));
    expect(sessions).toHaveLength(0);
  });

  it('goes back with access_denied when the person cancels, signed in or not', async () => {
    const ada = person();
    const early = redirected(await ada.cancel(await signInPage(ada)));
    expect(early.searchParams.get('error')).toBe('access_denied');
    const late = redirected(await ada.cancel(await ada.consentPage(ask().url)));
    expect(late.searchParams.get('error')).toBe('access_denied');
    expect(await grants(await app.accountOf(ada))).toHaveLength(0);
    expect((await lastAudit('consent_refused'))?.detail.reason).toBe('The person cancelled.');
  });
});

describe('the step with the message', () => {
  it('answers a script with the message as JSON', async () => {
    const ada = person();
    const page = await signInPage(ada);
    const members: [string, string][] = [
      ['form_token', tokenOf(page, '/challenge')],
      ['address', ada.wallet.address],
    ];
    const answer = await post(ada, `${page.url.pathname}/challenge`, members, { Accept: 'application/json' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    const { challenge_id: challengeId, message, expires_at: expiresAt } = await answer.json();
    expect(message).toContain('wants you to sign in');
    expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now());
    const signature = await ada.sign(message);
    const signed: [string, string][] = [members[0]!, ['challenge_id', challengeId], ['signature', signature]];
    const done = await post(ada, `${page.url.pathname}/sign-in`, signed);
    expect(done.status).toBe(303);
  });

  it('shows an address that is none again, with what is wrong', async () => {
    const ada = person();
    const again = await ada.challenge(await signInPage(ada), '"><script>0x12');
    expect(again.status).toBe(400);
    expect(again.html).toContain('id="address-fault" role="alert"');
    expect(again.html).not.toContain('<script>0x12');
  });

  it('starts again after a signature that is none, and signs nobody in', async () => {
    const ada = person();
    const message = await ada.challenge(await signInPage(ada));
    const again = shown(await ada.answer(message, '0xnonsense'));
    expect(again.status).toBe(400);
    expect(again.text).toContain('not accepted');
    expect(ada.jar.all.map(([name]) => name)).not.toContain('tasktree_session');
    const consent = shown(await ada.signIn(again));
    expect(consent.has('/consent')).toBe(true);
  });

  it('keeps the message while the chain cannot be asked whose signature it is', async () => {
    const ada = person();
    const message = await ada.challenge(await signInPage(ada));
    const away = shown(await ada.answer(message, await randomWallet().signMessage(message.message)));
    expect([away.status, away.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(away.text).toContain('Not available at the moment');
    const consent = shown(await ada.answer(message, await ada.sign(message.message)));
    expect(consent.has('/consent')).toBe(true);
  });

  it('refuses a form that another browser, another site or nobody was given', async () => {
    const ada = person();
    const page = await signInPage(ada);
    const path = `${page.url.pathname}/challenge`;
    const members: [string, string][] = [
      ['form_token', tokenOf(page, '/challenge')],
      ['address', ada.wallet.address],
    ];
    const foreign = await post(ada, path, members, { Origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=utf-8']);
    const json = await post(ada, path, members, { Origin: 'null', Accept: 'application/json' });
    expect([json.status, await json.json()]).toEqual([
      400,
      { error: expect.objectContaining({ code: 'invalid_request' }) },
    ]);
    const forged = await post(ada, path, [['form_token', 'x'], members[1]!]);
    expect(forged.status).toBe(400);
    const mallory = person();
    const theirs = await signInPage(mallory);
    const borrowed = await post(mallory, `${theirs.url.pathname}/challenge`, members);
    expect(borrowed.status).toBe(400);
    const elsewhere = await post(mallory, path, members);
    expect(elsewhere.status).toBe(404);
  });

  it('refuses who is suspended, on a page', async () => {
    const ada = person();
    await ada.authorize(ask().url);
    await app.get(AccountsService).suspend(await app.accountOf(ada));
    const page = await signInPage(ada);
    expect(page.has('/challenge')).toBe(true);
    const answer = shown(await ada.signIn(page));
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('suspended');
  });
});

describe('a decision that is not taken', () => {
  it.each<[string, (page: HtmlPage, ada: Person) => Promise<Response>, number]>([
    ['from another site', (page, ada) => allow(ada, page, { Origin: 'https://evil.example' }), 400],
    ['from another browser', (page) => allow(person(), page), 404],
    ['for a scope that was not asked for', (page, ada) => allow(ada, page, {}, [['scope', 'worker']]), 400],
    ['with a token for another form', (page, ada) => allow(ada, page, {}, [], tokenOf(page, '/cancel')), 400],
    ['without a token', (page, ada) => allow(ada, page, {}, [], ''), 400],
  ])('%s changes nothing and is written down', async (_name, send, status) => {
    const ada = person();
    const page = await ada.consentPage(ask().url);
    const answer = await send(page, ada);
    expect([answer.status, answer.headers.get('Location')]).toEqual([status, null]);
    expect(await answer.text()).toContain('role="alert"');
    expect(await grants(await app.accountOf(ada))).toHaveLength(0);
    const row = await lastAudit('consent_refused');
    expect(row).toMatchObject({ request_id: answer.headers.get('X-Request-Id') });
    expect(row?.detail.reason).toMatch(/./);
  });

  it('is one of a page that was shown to the account before', async () => {
    const ada = person();
    const hers = await ada.consentPage(ask().url);
    const other = new Person(app.url, randomWallet(), ada.jar);
    const theirs = shown(await other.signIn(shown(await other.open(`${hers.url.href}?wallet=other`))));
    const stale = await post(ada, `/oauth/interaction/${uidOf(theirs)}/consent`, [
      ['form_token', tokenOf(hers, '/consent')],
      ['scope', 'read'],
    ]);
    expect(stale.status).toBe(400);
    expect(await grants(await app.accountOf(other))).toHaveLength(0);
    expect(await grants(await app.accountOf(ada))).toHaveLength(0);
  });

  it('is one of a session that has ended meanwhile; the page then asks for a new sign-in', async () => {
    const ada = person();
    const page = await ada.consentPage(ask().url);
    const accountId = await app.accountOf(ada);
    const sessions = app.get(BrowserSessions);
    for (const { id } of await sessions.list(accountId)) await sessions.end(accountId, id, 'spec');
    const answer = await allow(ada, page);
    expect(answer.status).toBe(409);
    expect(await grants(accountId)).toHaveLength(0);
    expect((await lastAudit('consent_refused'))?.client_id).toBe(client.clientId);
    expect(shown(await ada.open(page.url)).has('/challenge')).toBe(true);
  });

  it.each([
    ['with nothing ticked', { scopes: [] }, 'scope-fault'],
    ['with a cap that is no amount', { fundingCap: '1,000' }, 'funding_cap-fault'],
  ])('is asked again %s', async (_name, consent, fault) => {
    const ada = person();
    const page = shown(await ada.allow(await ada.consentPage(ask().url), consent));
    expect(page.status).toBe(400);
    expect(page.html).toContain(`id="${fault}" role="alert"`);
    expect(await grants(await app.accountOf(ada))).toHaveLength(0);
    expect(redirected(await ada.allow(page, { scopes: ['buyer'], fundingCap: '1000' })).searchParams.has('code')).toBe(
      true,
    );
    expect(await grants(await app.accountOf(ada))).toEqual([expect.objectContaining({ scopes: ['buyer'] })]);
  });
});

/** Posts the consent form of the page, without following the redirect. */
function allow(
  somebody: Person,
  page: HtmlPage,
  headers: Record<string, string> = {},
  more: [string, string][] = [],
  token = tokenOf(page, '/consent'),
): Promise<Response> {
  return post(somebody, `${page.url.pathname}/consent`, [['form_token', token], ['scope', 'read'], ...more], headers);
}

describe('going back', () => {
  it('to a page that is finished, or sending it twice, is answered by a clear page and changes nothing', async () => {
    const ada = person();
    const consent = await ada.consentPage(ask().url);
    redirected(await ada.allow(consent));
    for (const answer of [await ada.open(consent.url), await ada.allow(consent), await ada.cancel(consent)]) {
      const page = shown(answer);
      expect(page.status).toBe(404);
      expect(page.text).toContain('finished, has expired, or was opened in another browser');
    }
    expect(await grants(await app.accountOf(ada))).toHaveLength(1);
  });

  it('of two answers sent at once, one grant is made and neither is a fault', async () => {
    const ada = person();
    const consent = await ada.consentPage(ask().url);
    const answers = await Promise.all([1, 2, 3, 4].map(() => allow(ada, consent)));
    for (const { status } of answers) expect([303, 404]).toContain(status);
    expect(await grants(await app.accountOf(ada))).toHaveLength(1);
  });

  it('to the address of an answer leads to its beginning', async () => {
    const ada = person();
    const page = await signInPage(ada);
    for (const ending of ['challenge', 'sign-in', 'consent', 'cancel']) {
      const answer = await ada.request(`${page.url.href}/${ending}`);
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, page.url.pathname]);
    }
  });

  it('to an interaction that never was', async () => {
    const page = shown(await person().open(`${app.url}/oauth/interaction/nothing-here`));
    expect(page.status).toBe(404);
    const json = await fetch(`${app.url}/oauth/interaction/nothing-here`, { headers: { Accept: 'application/json' } });
    expect(await json.json()).toEqual({ error: expect.objectContaining({ code: 'not_found' }) });
  });
});

describe('another party', () => {
  it('cannot put markup into a page by its name', async () => {
    const name = `<script>alert(1)</script>"'><b>`;
    const hostile = await PlainClient.register(app.url, REDIRECT, { client_name: name });
    const ada = person();
    const consent = await ada.consentPage(hostile.authorization('read').url);
    expect(consent.html).not.toContain('<script>alert');
    expect(consent.text).toContain(name);
    expect(consent.html.length).toBeLessThan(10_000);
  });
});

describe('the files of the pages', () => {
  it('are kept by browsers for ever, under an address that names their content', async () => {
    const page = await signInPage(person());
    const paths = [...page.html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const file = await fetch(`${app.url}${path}`);
      expect(file.status).toBe(200);
      expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(file.headers.get('Content-Type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
      const head = await fetch(`${app.url}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect((await fetch(`${app.url}${path.replace(/[0-9a-f]{32}/, '0'.repeat(32))}`)).status).toBe(404);
    }
  });

  it('travel as small as the browser can take them, and are the same bytes', async () => {
    const { html } = await signInPage(person());
    const path = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    const sizes: number[] = [];
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await fetch(new URL(path, app.url), { headers: { 'Accept-Encoding': encoding } });
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(
        createHash('sha256')
          .update(await response.text())
          .digest('hex')
          .slice(0, 32),
      ).toBe(path.split('/').at(-2));
      sizes.push(Number(response.headers.get('content-length')));
    }
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  });
});

it('below a path prefix every address of a page has it, while inside none does', async () => {
  const behind = await ListeningService.listen({ prefix: '/market' });
  try {
    // Removes the path prefix, as a gateway does.
    const gateway: typeof fetch = (url, init) => fetch((url as URL).href.replace('/market', ''), init);
    const own = await PlainClient.register(behind.url, REDIRECT);
    const ada = new Person(`${behind.url}/market`, randomWallet(), undefined, gateway);
    const request = own.authorization('read', { resource: `${behind.url}/market` });
    const consent = await ada.consentPage(request.url.href.replace('/oauth/', '/market/oauth/'));
    expect(consent.forms.map(({ action }) => action.pathname.startsWith('/market/oauth/interaction/'))).toEqual([
      true,
      true,
    ]);
    expect(consent.html).toContain('href="/market/assets/');
    expect(consent.html).toContain('href="/market/account/apps"');
    expect(redirected(await ada.allow(consent)).searchParams.has('code')).toBe(true);
  } finally {
    await behind.close();
  }
});

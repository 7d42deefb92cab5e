import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { type Answer, answerOf, AttackFixture, CALLBACK, expectPage } from './attack-fixture.js';
import type { HtmlPage } from '../../support/oauth/html-page.js';
import { Person, redirected, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

let fixture: AttackFixture;

beforeAll(async () => {
  fixture = await AttackFixture.start();
});

afterAll(() => fixture?.close());

type Members = Readonly<Record<string, string | string[] | null>>;

/** A person who has been shown the consent page. */
async function asked(scope = 'read buyer'): Promise<{ person: Person; page: HtmlPage }> {
  const person = fixture.person();
  return { person, page: await person.consentPage(fixture.client.authorization(scope).url) };
}

const tokenOf = (page: HtmlPage, ending: string) =>
  page.form(ending).fields.find(({ name }) => name === 'form_token')?.value ?? '';

/**
 * Posts the consent form with changed members and headers, without following redirects. A null value leaves the member
 * out.
 */
async function allow(
  person: Person,
  page: HtmlPage,
  own: Members = {},
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Answer> {
  const { action } = page.form('/consent');
  const body = new URLSearchParams();
  const members: Members = { form_token: tokenOf(page, '/consent'), scope: ['read'], funding_cap: '', ...own };
  for (const [name, values] of Object.entries(members))
    for (const each of [values ?? []].flat()) body.append(name, each);
  const target = method === 'POST' ? action : new URL(`${action.href}?${body.toString()}`);
  const init = method === 'POST' ? { method, body, headers: { Origin: fixture.url, ...headers } } : { method, headers };
  return answerOf(target, await person.request(target, init));
}

/** Expects an error page and an audit event, with nothing allowed and no redirect. */
async function expectRefused(answer: Answer, status: number): Promise<void> {
  expectPage(answer, status);
  expect(answer.headers.get('X-Frame-Options')).toBe('DENY');
  expect(await fixture.events(answer)).toEqual(['consent_refused']);
}

describe('a consent that the person did not give', () => {
  it.each<[string, Members, Record<string, string>]>([
    ['from a foreign site (CSRF)', {}, { Origin: 'https://evil.example' }],
    ['from a site that begins like ours', {}, { Origin: 'OURS.evil.example' }],
    ['from a frame without an origin', {}, { Origin: 'null' }],
    ['from another port of this machine', {}, { Origin: 'http://127.0.0.1:1' }],
    ['by a host name that was made up', {}, { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' }],
    ['without a form token', { form_token: null }, {}],
    ['with an empty form token', { form_token: '' }, {}],
    ['with a form token of a guess', { form_token: `9999999999999.${'A'.repeat(16)}.${'A'.repeat(43)}` }, {}],
    ['for a scope that was not asked for', { scope: ['read', 'worker'] }, {}],
    ['for a scope that there is not', { scope: ['read', 'admin'] }, {}],
  ])('%s allows nothing', async (_, own, headers) => {
    const { person, page } = await asked();
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', fixture.url)]),
    );
    await expectRefused(await fixture.unharmed(() => allow(person, page, own, named)), 400);
    redirected(await person.allow(page));
  });

  it('by an address alone allows nothing: GET only shows', async () => {
    const { person, page } = await asked();
    const answer = await fixture.unharmed(() => allow(person, page, {}, {}, 'GET'));
    expect([answer.status, answer.location?.pathname]).toEqual([303, page.url.pathname]);
    expect(answer.location?.search).toBe('');
  });

  it('in JSON, which a form cannot send, allows nothing', async () => {
    const { person, page } = await asked();
    const answer = await fixture.unharmed(() => allow(person, page, {}, { 'Content-Type': 'application/json' }));
    await expectRefused(answer, 415);
  });

  it('with the token of another form, of another interaction or of another person allows nothing', async () => {
    const { person, page } = await asked();
    const again = await person.consentPage(fixture.client.authorization('read buyer').url);
    const mallory = await asked();
    for (const token of [tokenOf(page, '/cancel'), tokenOf(again, '/consent'), tokenOf(mallory.page, '/consent')]) {
      await expectRefused(await fixture.unharmed(() => allow(person, page, { form_token: token })), 400);
    }
  });

  it('cannot be cancelled by a foreign site either', async () => {
    const { person, page } = await asked();
    const form = page.form('/cancel');
    const body = new URLSearchParams({ form_token: tokenOf(page, '/cancel') });
    const headers = { Origin: 'https://evil.example' };
    const answer = await answerOf(form.action, await person.request(form.action, { method: 'POST', body, headers }));
    expectPage(answer, 400);
    redirected(await person.allow(page));
  });
});

describe('a link to an interaction', () => {
  it('opened in another browser shows nothing and allows nothing', async () => {
    const { page } = await asked();
    for (const stranger of [fixture.person(), (await asked()).person]) {
      const seen = await fixture.unharmed(async () => shown(await stranger.open(page.url)));
      expect([seen.status, seen.forms]).toEqual([404, []]);
      expect(seen.text).not.toContain('Honest');
      await expectRefused(await fixture.unharmed(() => allow(stranger, page)), 404);
    }
  });

  it('of the thief, sent to a victim, does not connect the victim’s account (login CSRF)', async () => {
    const thief = await asked();
    const victim = fixture.person();
    await victim.signInToAccount();
    const seen = await fixture.unharmed(async () => shown(await victim.open(thief.page.url)));
    expect([seen.status, seen.forms]).toEqual([404, []]);
  });

  it('to go on after the consent, opened in another browser, gives no code', async () => {
    const { person, page } = await asked();
    const allowed = await allow(person, page);
    expect(allowed.status).toBe(303);
    const resume = allowed.location?.href ?? '';
    for (const stranger of [fixture.person(), (await asked()).person]) {
      const answer = await fixture.unharmed(async () => answerOf(new URL(resume), await stranger.request(resume)));
      expect(answer.location?.searchParams.has('code') ?? false).toBe(false);
      expect(answer.status).toBe(400);
    }
    const done = await person.request(resume);
    expect(done.headers.get('Location')?.startsWith(`${CALLBACK}?code=`)).toBe(true);
  });

  it('to go on before the consent gives no code', async () => {
    const { person, page } = await asked();
    const uid = page.url.pathname.split('/').at(-1) ?? '';
    const target = new URL(`/oauth/authorize/${uid}`, fixture.url);
    const answer = await fixture.unharmed(async () => answerOf(target, await person.request(target)));
    expect(answer.location?.searchParams.has('code') ?? false).toBe(false);
  });

  it('that has expired allows nothing, on the page, by the form and by the way on', async () => {
    const { person, page } = await asked();
    await fixture.app.rows(
      `UPDATE oauth_records SET expires_at = now() - interval '2 minutes',
         payload = payload || jsonb_build_object('exp', extract(epoch FROM now())::int - 120)
       WHERE kind = 'Interaction'`,
    );
    const seen = shown(await fixture.unharmed(() => person.open(page.url)));
    expect([seen.status, seen.forms]).toEqual([404, []]);
    await expectRefused(await fixture.unharmed(() => allow(person, page)), 404);
  });

  it('that was used allows nothing a second time', async () => {
    const { person, page } = await asked();
    redirected(await person.allow(page));
    await expectRefused(await fixture.unharmed(() => allow(person, page, { scope: ['read', 'buyer'] })), 404);
  });

  it.each([
    'unknown',
    '%0d%0aSet-Cookie:%20evil=1',
    '..%2f..%2faccount',
    "'%20OR%201=1%20--",
    'x'.repeat(2_000),
    '%00',
  ])('that was made up (%s) is a plain page', async (uid) => {
    const { person } = await asked();
    const target = new URL(`${fixture.url}/oauth/interaction/${uid}`);
    const answer = await fixture.unharmed(async () => answerOf(target, await person.request(target)));
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers.getSetCookie().join()).not.toContain('evil');
    expect(answer.text).not.toMatch(/evil|node_modules|\bat \w+ \(/);
  });
});

describe('after the account was changed', () => {
  it('in another tab, the page of the former account allows nothing for either', async () => {
    const { person, page } = await asked();
    const other = new Person(fixture.url, randomWallet(), person.jar);
    shown(await other.signIn(shown(await other.open(`${page.url.href}?wallet=other`))));
    await expectRefused(await fixture.unharmed(() => allow(person, page)), 404);
  });

  it('on the account page, the consent page of before allows nothing', async () => {
    const { person, page } = await asked();
    person.jar.forget(/session$/);
    const other = new Person(fixture.url, randomWallet(), person.jar);
    await other.signInToAccount();
    await expectRefused(await fixture.unharmed(() => allow(person, page)), 409);
  });

  it('by signing out, the consent page allows nothing', async () => {
    const { person, page } = await asked();
    const account = shown(await person.open('/account'));
    await person.submit(account, account.form('/sign-out'));
    await expectRefused(await fixture.unharmed(() => allow(person, page)), 409);
  });

  it('by its suspension, the consent page allows nothing', async () => {
    const { person, page } = await asked();
    await fixture.app.get(AccountsService).suspend(await fixture.app.accountOf(person));
    await expectRefused(await fixture.unharmed(() => allow(person, page)), 409);
  });
});

describe('the pages', () => {
  it('may not be framed (clickjacking), kept, sniffed or scripted by others', async () => {
    const { person, page } = await asked();
    const signIn = shown(await fixture.person().open(fixture.client.authorization('read').url));
    const over = shown(await fixture.person().open(page.url));
    const account = shown(await person.open('/account'));
    const wrong = shown(await fixture.person().open('/oauth/authorize?client_id=nobody'));
    for (const { headers } of [page, signIn, over, account, wrong]) {
      const policy = headers.get('Content-Security-Policy') ?? '';
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(rule);
      expect(policy).not.toMatch(/unsafe|\*|http:/);
      expect(headers.get('Cache-Control')).toContain('no-store');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      for (const name of ['X-Powered-By', 'Server', 'Access-Control-Allow-Origin'])
        expect(headers.get(name)).toBeNull();
    }
  });

  it('set no cookie that a script or a foreign form can use', async () => {
    const person = fixture.person();
    const lines: string[] = [];
    const page = shown(await person.open(fixture.client.authorization('read').url));
    lines.push(...page.headers.getSetCookie());
    const first = await fixture.send(fixture.client.authorization('read').url);
    lines.push(...first.headers.getSetCookie());
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line.toLowerCase()).toMatch(/; httponly/);
      expect(line.toLowerCase()).toMatch(/; samesite=(lax|strict)/);
    }
  });

  it.each(['-1', '1e9', '0x10', '1,000', 'Infinity', '9'.repeat(90), '5 500000'])(
    'take no funding cap of %s',
    async (cap) => {
      const { person, page } = await asked();
      const answer = await fixture.unharmed(() => allow(person, page, { funding_cap: cap }));
      expect([answer.status, answer.location]).toEqual([400, null]);
    },
  );

  it('take no two funding caps for none', async () => {
    const { person, page } = await asked();
    const answer = await fixture.unharmed(() =>
      allow(person, page, { scope: ['buyer'], funding_cap: ['5', '500000'] }),
    );
    expect([answer.status, answer.location]).toEqual([400, null]);
    expect(answer.text).toContain('id="funding_cap-fault"');
  });
});
